import pytest

from tarneeb_referee.hosts.docker.cores import CorePool


@pytest.mark.parametrize("cores", [1, 2, 4, 8])
def test_with_too_few_cores_nobody_gets_one(cores: int) -> None:
    pool = CorePool(cores, at_once=8)
    assert [pool.take() for _ in range(8)] == 8 * [""]


def test_with_enough_each_gets_its_own_and_the_referee_keeps_one() -> None:
    pool = CorePool(9, at_once=8)
    taken = [pool.take() for _ in range(8)]
    assert sorted(taken) == [str(core) for core in range(1, 9)]
    pool.give_back("3")
    pool.give_back("")
    assert pool.take() == "3"
    assert pool.take() == ""
