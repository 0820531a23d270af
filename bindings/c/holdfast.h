/* When should this program write its next checkpoint? This is Holdfast's advisor for C, C++ and Fortran (holdfast.f90).
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
 * It is C99 and needs no other header of Holdfast. Any thread may call any function except hf_advisor_destroy. A signal handler
 * may call hf_advisor_need_checkpoint and hf_advisor_should_stop, but no other function. No function starts a thread, handles a
 * signal, prints, ends the program or throws. Programs that use MPI also include holdfast_mpi.h. */
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

/* The codes have the meanings of the exit codes of the program `holdfast`. */
enum {
  HF_OK = 0,
  HF_STATE = 1, /* a call in the wrong order; nothing has changed */
  HF_USAGE = 2, /* a null pointer that is not allowed */
  HF_INPUT = 3, /* the document has an invalid value */
  HF_OUTPUT = 4 /* no memory */
};

/* Makes an advisor from a document, which is a JSON text. {} is enough, and
 *   {"checkpoint": "40s", "processors": 64, "failures": {"mtbf": "100d"}}
 * gives a first estimate of the time of a checkpoint, and how often one of the nodes fails. The fields are those of a
 * checkpoint instance, and also strategy, first, flush, min_interval, max_interval, max_overhead, trust, nodes, and journal (a
 * file of a guard, whose last estimate contains what earlier runs of the job have learned).
 * On failure *advisor is null, and message (of size bytes; it may be null) contains "PLACE: found X, expected Y". */
HF_API int hf_advisor_create(const char* document, hf_advisor** advisor, char* message,
                             size_t size);
/* Makes an advisor from a file. If file is null, it is the one that HOLDFAST_ADVISOR names, which a guard sets; if that is not
 * set, it is {}. The guard (--trigger api) then receives every event through HOLDFAST_PIPE, and its requests are due at the
 * next question, at most 0.1 s later. In a program with several processes only the first one talks to the guard, as numbered by
 * the launcher (OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, SLURM_PROCID, and RANK, LOCAL_RANK and NODE_RANK of PyTorch). */
HF_API int hf_advisor_open(const char* file, hf_advisor** advisor, char* message, size_t size);
/* Frees the advisor, which may be null. */
HF_API void hf_advisor_destroy(hf_advisor* advisor);

/* Reports that the program is initialised or restored, and that work begins. */
HF_API int hf_advisor_ready(hf_advisor* advisor);
/* Returns 0, or the level of the checkpoint that is due: 1, or for a job with local_checkpoint 1 for a checkpoint in the nodes
 * and 2 for one on the file system, which replaces both. Ask in every iteration: a call takes less than 100 ns. */
HF_API int hf_advisor_need_checkpoint(hf_advisor* advisor);
/* Returns 1 if the allocation is almost over: save if a checkpoint is due, and end. */
HF_API int hf_advisor_should_stop(hf_advisor* advisor);
/* Reports that a checkpoint begins. level is the level that is written, which may differ from the one that was due. */
HF_API int hf_advisor_checkpoint_begin(hf_advisor* advisor, int level);
/* Reports that a checkpoint ends. If ok is 0, nothing was saved; another one is due soon, with longer waits each time. */
HF_API int hf_advisor_checkpoint_end(hf_advisor* advisor, int ok);
/* Reports that an asynchronous checkpoint begins, for a job with one level. The program goes on after its end; what is in it
 * counts as saved when it is durable. Report that before the next one begins. */
HF_API int hf_advisor_checkpoint_begin_async(hf_advisor* advisor, int level);
/* Reports that the data of the last checkpoint are safe. Only for asynchronous checkpoints. If
 * writing them fails, do not call it. */
HF_API int hf_advisor_checkpoint_durable(hf_advisor* advisor);
/* Reports progress in any unit. total 0 or less means unknown. */
HF_API int hf_advisor_progress(hf_advisor* advisor, double done, double total);
/* Reports a node failure that the program survived. node is one of the names in the document; null means unknown. */
HF_API int hf_advisor_failure(hf_advisor* advisor, const char* node);
/* Reports that the node `by` has taken the place of `node`, which failed. age is the time for which `by` has been up, in seconds; NaN:
 * unknown, it counts as old as most. node null means the one that failed last, by null that its name does not matter. */
HF_API int hf_advisor_replaced(hf_advisor* advisor, const char* node, const char* by, double age);
/* Sets the time until the allocation ends, in seconds; infinity means that it has no end. */
HF_API int hf_advisor_time_left(hf_advisor* advisor, double seconds);

/* Returns a number of calls, at least 1, during which nothing will be due, so that they need not ask. */
HF_API long hf_advisor_check_after(hf_advisor* advisor);
/* Takes over the answer of another process that decides for all, and records that the next `calls` calls need not ask. */
HF_API int hf_advisor_follow(hf_advisor* advisor, int level, int stop, long calls);
/* Returns 1 if this call need not ask, and counts it. */
HF_API int hf_advisor_skip(hf_advisor* advisor);
/* Returns 1 if the last answer that was taken over was to stop. */
HF_API int hf_advisor_told_to_stop(hf_advisor* advisor);

/* The current advice, for logs and dashboards, in seconds (the rate is per second); NaN if a value is not known yet. The caller
 * sets size to sizeof(hf_advice). */
typedef struct {
  size_t size;
  double due;        /* time until the next checkpoint */
  double interval;   /* work between two checkpoints */
  double checkpoint; /* time of a checkpoint */
  double recovery;
  double rate;  /* expected interruptions per second now */
  double theta; /* ratio of observed to predicted interruptions */
  double
      share_before_failure; /* fraction of the time until the next failure that becomes saved work */
  double young_daly;        /* Young/Daly's period for this rate */
  long checkpoints;
  long failures;
  long level; /* level of the next checkpoint */
} hf_advice;
/* Fills *advice with the current advice. */
HF_API int hf_advisor_advice(hf_advisor* advisor, hf_advice* advice);

#ifdef __cplusplus
}
#endif

#endif
