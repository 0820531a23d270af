#pragma once

#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <optional>

namespace holdfast::volatile_workers {

/// Returns a slot before which no strategy ends, whatever it knows of these states. It counts that a worker that was down needs
/// the program again, and that nothing is computed while a program is sent.
///
/// **Programs.** A worker that is not enrolled keeps no part of a program, and a configuration computes only when all of its
/// members have the program. So each program is received within one iteration, before the work of that iteration. Let L be the last
/// slot in which a program was completed. Each worker that computes later in that iteration, or in later ones that complete none, has
/// the program since L at the latest: it was up in `program_slots` slots between its last slot down and L. In the later ones it is not
/// down after L either. An iteration that completes its last program in L began `program_slots` slots before, or earlier; it
/// computes after L.
///
/// **One iteration.** Given its start and L, a slot counts for W if the workers that are up and may have the program can do all
/// tasks, worker q as many as x, with x w <= W, and with x times `data_slots` slots in which it was up since the start and since it
/// was last down. The slots of the true work count for the true W, so the iteration does not end before some W has W such slots; or,
/// sharper, before one set of workers with fixed numbers of tasks has them, with none of them down in between. Both ends can only
/// become later if the iteration starts later, or if L is earlier and the iteration completes no program.
///
/// **All iterations.** A pair (t, L) says that the iterations so far can have ended by t with the last program at L. It leads to
/// another pair with the same L, and to one for each later L. By what was said, of two pairs the one with the later t is of no use
/// if its L is not later, or if that L serves no worker that is left; and only those L count in which some worker has been up for
/// `program_slots` slots since it was down. The least t after all iterations is the bound.
/// @param least   slots that each iteration takes at least
/// @param effort  accesses to the state of a worker in each of the searches. The search for sets takes a part of it, and goes on
///                without sets when that is used up. When all is, the other iterations count as if programs were sent at any time.
/// @returns nothing if there is no program, if the number of iterations is not fixed, or if the states end before the bound
[[nodiscard]] std::optional<std::int64_t> transfer_bound(const Instance& instance,
                                                         Availability& availability,
                                                         std::int64_t least, std::int64_t effort);

}  // namespace holdfast::volatile_workers
