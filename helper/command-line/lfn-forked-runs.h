// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_FORKED_RUNS_H
#define LFN_FORKED_RUNS_H

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Make the runs that analysis/lfn/runner.py asks for, each in a forked child.
 *
 * Loading ns-3 and computing its table of random streams takes longer than many a run. The
 * environment variable `LFN_RUNS` is the file descriptor of a SOCK_SEQPACKET socket, a comma, and
 * the process id of the runner. It is ignored unless the runner is the parent: a script that runs
 * the program may have more to do. The first run is that of the command line. After each run its
 * exit status goes to the socket, or the negative number of the signal that killed it. A request
 * for a further run holds words that end with a zero byte: the file for its stdout and stderr,
 * then the flags that differ.
 *
 * The function returns in the children, and at once without `LFN_RUNS`. The parent ends with the
 * last request; the children end with the parent.
 *
 * @param argc Number of arguments.
 * @param argv The arguments; in a child, those of its run.
 */
void ForkRuns(int argc, char* argv[]);

} // namespace ns3::lfn

#endif // LFN_FORKED_RUNS_H
