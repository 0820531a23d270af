/* When should this program write its next checkpoint? Holdfast's advisor for C, C++ and Fortran (holdfast.f90).
 *
 *   hf_advisor* a;
 *   char message[256];
 *   if (hf_advisor_open(NULL, &a, message, sizeof message) != HF_OK) return fail(message);
 *   hf_advisor_ready(a);
 *   while (step < steps) {
 *     advance();
 *     hf_advisor_progress(a, ++step, steps);
 *     if (hf_advisor_need_checkpoint(a)) {
 *       hf_advisor_checkpoint_begin(a, 1);
 *       hf_advisor_checkpoint_end(a, save() == 0);
 *     }
 *     if (hf_advisor_should_stop(a)) break;
 *   }
 *   hf_advisor_destroy(a);
 *
 * C99, and no other header of ours. Any thread may call any function but hf_advisor_destroy; a signal handler may call
 * hf_advisor_need_checkpoint and hf_advisor_should_stop, and nothing else here. Nothing here starts a thread, handles a signal,
 * writes anything, ends the program or throws. Programs that use MPI: holdfast_mpi.h. */
#ifndef HOLDFAST_H
#define HOLDFAST_H

#include <stddef.h>

#if defined(__GNUC__)
#define HF_API __attribute__((visibility("default")))
#else
#define HF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_advisor hf_advisor;

/* Meanings of the exit codes of the program `holdfast`. */
enum {
  HF_OK = 0,
  HF_STATE = 1, /* a call out of order: nothing has changed */
  HF_USAGE = 2, /* a null pointer where there must be none */
  HF_INPUT = 3, /* the document says what cannot be */
  HF_OUTPUT = 4 /* no memory */
};

/* Makes an advisor from a document, JSON text: {} is enough, and
 *   {"checkpoint": "40s", "processors": 64, "failures": {"mtbf": "100d"}}
 * says what a checkpoint takes at first, and how often one of the nodes fails. The fields are those of a checkpoint instance
 * and strategy, first, flush, min_interval, max_interval, max_overhead, trust, nodes, and journal: a file of a guard, whose
 * last estimate says what earlier runs of the job have learned.
 * On failure *advisor is null, and message (of size bytes; it may be null) says "PLACE: found X, expected Y". */
HF_API int hf_advisor_create(const char* document, hf_advisor** advisor, char* message,
                             size_t size);
/* The same from a file. A null file: the one that HOLDFAST_ADVISOR names, which a guard sets, or {} where it is not set. That
 * guard (--trigger api) is told of every event, by HOLDFAST_PIPE, and what it asks for is due at the next question, 0.1 s later
 * at most; of a program of several processes the first one speaks, as its launcher numbers them (OMPI_COMM_WORLD_RANK,
 * PMIX_RANK, PMI_RANK, SLURM_PROCID, RANK). */
HF_API int hf_advisor_open(const char* file, hf_advisor** advisor, char* message, size_t size);
HF_API void hf_advisor_destroy(hf_advisor* advisor);

/* The program is initialised, or restored: work begins. */
HF_API int hf_advisor_ready(hf_advisor* advisor);
/* 0, or the level of the checkpoint that is due: 1; of a job with local_checkpoint 1 for one in the nodes, 2 for one on the file
 * system, which serves for both. Ask in every iteration: it takes less than 100 ns. */
HF_API int hf_advisor_need_checkpoint(hf_advisor* advisor);
/* 1: save if a checkpoint is due, and end: the allocation is as good as over. */
HF_API int hf_advisor_should_stop(hf_advisor* advisor);
/* level: of what is written now, which may be another than was due. */
HF_API int hf_advisor_checkpoint_begin(hf_advisor* advisor, int level);
/* ok 0: nothing was saved; it is asked for again, later each time. */
HF_API int hf_advisor_checkpoint_end(hf_advisor* advisor, int ok);
/* Of asynchronous checkpoints alone: what the last one wrote is safe now. */
HF_API int hf_advisor_checkpoint_durable(hf_advisor* advisor);
/* In any unit. total 0 or less: unknown. */
HF_API int hf_advisor_progress(hf_advisor* advisor, double done, double total);
/* A node failed, and the program survived it. node: its name among those of the document; null: unknown. */
HF_API int hf_advisor_failure(hf_advisor* advisor, const char* node);
/* Until the allocation ends, in seconds; infinity: it does not. */
HF_API int hf_advisor_time_left(hf_advisor* advisor, double seconds);

/* So many calls from now on, at least 1, need not ask: nothing will be due before. */
HF_API long hf_advisor_check_after(hf_advisor* advisor);
/* For programs of which one process decides for all: takes its answer over, and that the next `calls` need not ask. */
HF_API int hf_advisor_follow(hf_advisor* advisor, int level, int stop, long calls);
/* 1: this call is one of those. Counts it as asked. */
HF_API int hf_advisor_skip(hf_advisor* advisor);
/* The last answers that were taken over. */
HF_API int hf_advisor_told_to_stop(hf_advisor* advisor);

/* For logs and dashboards: seconds, rate per second, NaN where nothing is known yet. The caller sets size to
 * sizeof(hf_advice). */
typedef struct {
  size_t size;
  double due;        /* until the next checkpoint */
  double interval;   /* work between two */
  double checkpoint; /* what one takes */
  double recovery;
  double rate;       /* interruptions per second that are to be expected now */
  double theta;      /* interruptions per interruption that was promised */
  double efficiency; /* part of the time that becomes saved work */
  double young_daly; /* period of that rule at this rate */
  long checkpoints;
  long failures;
  long level; /* of the next checkpoint */
} hf_advice;
HF_API int hf_advisor_advice(hf_advisor* advisor, hf_advice* advice);

#ifdef __cplusplus
}
#endif

#endif
