"""Pushes messages that nobody asked for, as fast as it can."""

from tarneeb.v1 import game_pb2
from tarneeb.v1 import referee_service_pb2 as pb
from tests.chaos.wild import Wild, in_play

answer = pb.Answer(turn_id=77, move=game_pb2.Move(card=1))
stray = pb.PlayRequest(answers=pb.Answers(answers=[answer])).SerializeToString()

wild = Wild().hello()
for turn in wild.turns():
    if in_play(turn):
        for _ in range(1_000_000):
            wild.send(stray)
    wild.answer(turn)
