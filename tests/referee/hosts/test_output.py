from hypothesis import given
from hypothesis import strategies as st

from tarneeb_referee.hosts.output import BotLogs, Output
from tarneeb_referee.hosts.output_buffer import OutputBuffer


@given(st.lists(st.binary(max_size=40), max_size=30), st.integers(2, 60))
def test_a_buffer_keeps_the_first_and_the_last_bytes(pieces: list[bytes], cap: int) -> None:
    buffer = OutputBuffer(cap)
    for piece in pieces:
        buffer.add(piece)
    head, tail, dropped = buffer.parts()
    whole, half = b"".join(pieces), cap // 2
    assert head == whole[:half]
    assert tail == whole[half:][-half:]
    assert len(head) + len(tail) + dropped == len(whole)
    if dropped == 0:
        assert head + tail == whole


def test_an_uncut_output_is_its_bytes() -> None:
    output = Output(b"a", b"b")
    assert (output.to_bytes(), output.text(), output.total_bytes) == (b"ab", "ab", 2)


def test_a_character_cut_between_head_and_tail_is_whole_when_nothing_is_missing() -> None:
    letter = "\u0637".encode()
    assert Output(letter[:1], letter[1:]).text() == "\u0637"
    assert Output(letter[:1], letter[1:], 5).text() == "\\xd8\n[... 5 bytes cut ...]\n\\xb7"


def test_the_last_line_is_short_and_harmless() -> None:
    assert Output(b"one\n\x1b[2Jtwo\x07\n \n\n").last_line() == "[2Jtwo"
    assert Output("a\u202eb\n".encode()).last_line() == "a b"
    assert Output(b"x" * 10_000).last_line(max_chars=10) == "…" + "x" * 9
    assert Output().last_line() == ""


def test_the_last_line_may_begin_in_the_head() -> None:
    assert Output(b"first\nsec", b"ond\n").last_line() == "second"


def test_stderr_is_asked_first_for_the_last_line() -> None:
    assert BotLogs(Output(b"out"), Output(b"err")).last_line() == "err"
    assert BotLogs(Output(b"out"), Output()).last_line() == "out"
