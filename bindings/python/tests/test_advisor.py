"""The advisor in Python: the standard library alone, and libholdfast.so.1 (HOLDFAST_LIBRARY)."""

import importlib.util
import os
import pickle
import sys
import tempfile
import time
import unittest
from pathlib import Path

if importlib.util.find_spec("holdfast") is None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from holdfast.advisor import Advisor, AdvisorError, newest_valid, save_atomically  # noqa: E402


def has_library():
    try:
        Advisor().close()
    except AdvisorError:
        return False
    return True


@unittest.skipUnless(has_library(), "no libholdfast.so.1: HOLDFAST_LIBRARY names it")
class AdvisorTest(unittest.TestCase):
    def test_a_loop(self):
        saved = 0
        with Advisor(first="5ms", max_interval="20ms", mtbf="1h") as advisor:
            self.assertTrue(advisor.ready())
            end = time.monotonic() + 0.2
            while time.monotonic() < end:
                advisor.progress(1, 2)
                if advisor.due():
                    with advisor.saving():
                        saved += 1
            advice = advisor.advice()
        self.assertGreater(saved, 2)
        self.assertEqual(advice.checkpoints, saved)
        self.assertAlmostEqual(advice.rate * 3600, 1, delta=0.2)

    def test_events_out_of_order_change_nothing(self):
        with Advisor() as advisor:
            self.assertFalse(advisor.progress(1, 2))
            self.assertTrue(advisor.ready())
            self.assertFalse(advisor.ready())
            self.assertFalse(advisor.durable())

    def test_what_is_refused_says_where(self):
        for fields, place in ({"checkpoint": -1}, "/checkpoint"), ({"mtbf": "soon"}, "/failures/mtbf"), ({"interval": 3}, "/interval"):
            with self.assertRaisesRegex(AdvisorError, place):
                Advisor(**fields)

    def test_an_exception_while_saving_is_a_checkpoint_that_failed(self):
        with Advisor(checkpoint=1) as advisor:
            advisor.ready()
            with self.assertRaises(OSError), advisor.saving():
                raise OSError("disk full")
            self.assertEqual(advisor.advice().checkpoints, 0)
            self.assertGreaterEqual(advisor.advice().due, 59)  # asked for again, after a minute

    def test_the_end_of_an_allocation(self):
        with Advisor(checkpoint=1) as advisor:
            advisor.ready()
            advisor.time_left(3600)
            self.assertFalse(advisor.should_stop())
            advisor.time_left(3)
            self.assertTrue(advisor.due())
            self.assertTrue(advisor.should_stop())
            with advisor.saving():
                pass
            self.assertFalse(advisor.due())

    def test_which_of_two_levels_is_due(self):
        with Advisor(checkpoint=10, local_checkpoint=0.1, local_share=0.9, mtbf=3600) as advisor:
            advisor.ready()
            self.assertEqual(advisor.advice().level, 1)
            advisor.time_left(0)
            self.assertEqual(advisor.due(), 2)
            with advisor.saving(2):
                pass
            self.assertEqual(advisor.due(), 0)

    def test_one_process_decides_for_all(self):
        said = []

        def broadcast(answer):
            said.append(answer)
            return (1, 1, 0) if len(said) == 3 else (0, 0, 2)

        with Advisor(broadcast=broadcast) as advisor:
            advisor.ready()
            answers = [advisor.due() for _ in range(7)]
            self.assertEqual(answers, [False] * 6 + [True])
            self.assertEqual(len(said), 3)
            self.assertTrue(advisor.should_stop())

    def test_the_file_of_a_guard(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "advisor.json"
            file.write_text('{"strategy": "fixed:1h"}')
            with Advisor.open(file) as advisor:
                advisor.ready()
                self.assertEqual(advisor.advice().interval, 3600)
            with self.assertRaisesRegex(AdvisorError, "nowhere.json"):
                Advisor.open(Path(folder) / "nowhere.json")

    def test_an_asynchronous_checkpoint_is_saved_when_it_is_durable(self):
        with Advisor(checkpoint=1) as advisor:
            advisor.ready()
            with advisor.saving(asynchronous=True):
                self.assertFalse(advisor.begin())  # one at a time
            self.assertTrue(advisor.durable())
            self.assertFalse(advisor.durable())
            self.assertTrue(advisor.begin())
            self.assertTrue(advisor.end(False))
            self.assertFalse(advisor.end())
            self.assertEqual(advisor.advice().checkpoints, 1)
        with Advisor(checkpoint=10, local_checkpoint=0.1, local_share=0.9) as advisor:
            advisor.ready()
            self.assertFalse(advisor.begin(asynchronous=True))

    def test_another_node_takes_the_place_of_one_that_failed(self):
        with Advisor(checkpoint=10, nodes=["n1", "n2"], mtbf="1d", distribution="weibull", shape=0.5, platform_age="1d") as advisor:
            advisor.ready()
            advisor.failure("n2")
            young = advisor.advice().rate
            self.assertTrue(advisor.replaced("n2", by="n9", age=2 * 86400))
            self.assertLess(advisor.advice().rate, young / 2)
            self.assertTrue(advisor.replaced())
            with self.assertRaises(AdvisorError):
                advisor.replaced(age=-1)

    def test_what_is_closed_says_so(self):
        advisor = Advisor()
        advisor.close()
        with self.assertRaisesRegex(AdvisorError, "closed"):
            advisor.begin()


class FilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "state"

    def save(self, what, keep=2):
        save_atomically(self.path, lambda file: pickle.dump(what, file), keep=keep)

    def test_the_newest_stay(self):
        for step in range(5):
            self.save(step, keep=3)
        kept = sorted(file.name for file in self.path.parent.iterdir())
        self.assertEqual(kept, ["state", "state.1", "state.1.sha256", "state.2", "state.2.sha256", "state.sha256"])
        self.assertEqual([pickle.loads(self.path.with_name(name).read_bytes()) for name in ("state", "state.1", "state.2")], [4, 3, 2])

    def test_a_bad_one_is_passed_over(self):
        self.assertIsNone(newest_valid(self.path))
        self.save("old")
        self.save("new")
        self.assertEqual(newest_valid(self.path), self.path)
        self.path.write_bytes(b"torn")
        self.assertEqual(newest_valid(self.path), self.path.with_name("state.1"))

    def test_what_cannot_be_written_leaves_the_old_one(self):
        self.save("old", keep=1)

        def fails(file):
            file.write(b"half")
            raise OSError("disk full")

        with self.assertRaises(OSError):
            save_atomically(self.path, fails, keep=1)
        self.assertEqual(newest_valid(self.path), self.path)
        self.assertEqual(pickle.loads(self.path.read_bytes()), "old")

    def test_the_old_one_is_valid_until_the_new_one_is_there(self):
        self.save("old", keep=1)
        replace = os.replace

        def dies_before_the_last(source, target):
            if Path(target) == self.path:
                raise KeyboardInterrupt
            replace(source, target)

        os.replace = dies_before_the_last
        try:
            with self.assertRaises(KeyboardInterrupt):
                self.save("new", keep=1)
        finally:
            os.replace = replace
        self.assertEqual(newest_valid(self.path), self.path)


if __name__ == "__main__":
    unittest.main()
