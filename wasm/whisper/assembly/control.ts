// The words shared by all threads. They precede the module's own data, so that a thread that instantiates the module late does
// not reset them. A word that several threads write has a cache line of its own.

import { ARGUMENTS_AT, RESULT_AT, SCRATCH_AT, SCRATCH_BYTES_AT, TILE_AT } from '../interface'

/** sequence number of the job (high half) and its next chunk (low half), so that one atomic addition takes a chunk */
export const NEXT: usize = 64
/** sequence number and number of chunks */
export const LIMIT: usize = 128
/** number of unfinished chunks */
export const UNFINISHED: usize = 192
/** number of jobs so far; idle threads sleep on it */
export const JOBS: usize = 256
/** number of sleeping threads */
export const SLEEPERS: usize = 320
export const KERNEL: usize = 384
/** the threads' private memory: first byte, and bytes per thread */
export const SCRATCH: usize = SCRATCH_AT
export const SCRATCH_BYTES: usize = SCRATCH_BYTES_AT
/** the kernel's result, 32 bits; 0 before it runs */
export const RESULT: usize = RESULT_AT
/** a TILE */
export const TILE_IN_USE: usize = TILE_AT
/** arguments of the kernel, 32 bits each */
export const ARGUMENTS: usize = ARGUMENTS_AT

// @ts-ignore: a decorator of AssemblyScript
@inline
export function scratchOf(thread: i32): usize {
  return <usize>load<u32>(SCRATCH) + <usize>thread * <usize>load<u32>(SCRATCH_BYTES)
}
