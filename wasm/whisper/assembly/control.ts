// Where the words lie that all threads share: below the module's own data, so that a thread that instantiates the
// module late does not reset them. Words that several threads write have a cache line each.

import { ARGUMENTS_AT, RESULT_AT, SCRATCH_AT, SCRATCH_BYTES_AT } from '../interface'

/** sequence number of the job (high half) and its next chunk (low half): one addition takes both */
export const NEXT: usize = 64
/** sequence number and number of chunks */
export const LIMIT: usize = 128
/** chunks that are not finished */
export const UNFINISHED: usize = 192
/** counts jobs; idle threads sleep on it */
export const JOBS: usize = 256
/** how many threads sleep */
export const SLEEPERS: usize = 320
export const KERNEL: usize = 384
/** each thread's own memory for what it need not share: first byte, and bytes per thread */
export const SCRATCH: usize = SCRATCH_AT
export const SCRATCH_BYTES: usize = SCRATCH_BYTES_AT
/** what a kernel tells its caller, 32 bits; 0 before it runs */
export const RESULT: usize = RESULT_AT
/** arguments of the kernel, 32 bits each */
export const ARGUMENTS: usize = ARGUMENTS_AT

// @ts-ignore: a decorator of AssemblyScript
@inline
export function scratchOf(thread: i32): usize {
  return <usize>load<u32>(SCRATCH) + <usize>thread * <usize>load<u32>(SCRATCH_BYTES)
}
