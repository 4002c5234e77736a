// Distributes the chunks of a kernel among the threads: each takes the next chunk until none is left.

import { JOBS, KERNEL, LIMIT, NEXT, SLEEPERS, UNFINISHED } from './control'
import { dispatch } from './dispatch'

/** Stops the serving threads. */
const STOP: i32 = -1

/** About 20 µs, the pause between two kernels of a decoder step. A thread that waits longer goes to sleep. */
const SPINS: i32 = 4000

function work(thread: i32): void {
  while (true) {
    const taken = atomic.add<u32>(NEXT, 1)
    const limit = atomic.load<u32>(LIMIT)
    // A late thread must not take the number of its old job for one of the next job.
    if (taken >>> 16 != limit >>> 16 || (taken & 0xffff) >= (limit & 0xffff)) return
    dispatch(load<i32>(KERNEL), taken & 0xffff, thread)
    if (atomic.sub<i32>(UNFINISHED, 1) == 1) atomic.notify(UNFINISHED, 1)
  }
}

/** Runs a kernel over its chunks on all threads; returns when the last chunk is finished. */
export function run(kernel: i32, chunks: i32): void {
  const sequence = (atomic.load<u32>(LIMIT) >>> 16) + 1
  store<i32>(KERNEL, kernel)
  atomic.store<i32>(UNFINISHED, chunks)
  // The limit goes first, so that every available chunk is within it.
  atomic.store<u32>(LIMIT, (sequence << 16) | chunks)
  atomic.store<u32>(NEXT, sequence << 16)
  if (chunks > 1) wake()
  work(0)
  let spins = SPINS
  while (true) {
    const left = atomic.load<i32>(UNFINISHED)
    if (left == 0) return
    if (spins > 0) spins -= 1
    else atomic.wait<i32>(UNFINISHED, left, -1)
  }
}

function wake(): void {
  atomic.add<i32>(JOBS, 1)
  if (atomic.load<i32>(SLEEPERS) > 0) atomic.notify(JOBS, -1)
}

/** The loop of every thread but the first, until `stop`. */
export function serve(thread: i32): void {
  let seen = atomic.load<i32>(JOBS)
  while (true) {
    work(thread)
    if (load<i32>(KERNEL) == STOP) return
    let spins = SPINS
    while (spins > 0 && atomic.load<i32>(JOBS) == seen) spins -= 1
    if (atomic.load<i32>(JOBS) == seen) {
      atomic.add<i32>(SLEEPERS, 1)
      atomic.wait<i32>(JOBS, seen, -1)
      atomic.sub<i32>(SLEEPERS, 1)
    }
    seen = atomic.load<i32>(JOBS)
  }
}

/** Makes every serving thread return. */
export function stop(): void {
  store<i32>(KERNEL, STOP)
  atomic.store<u32>(LIMIT, 0)
  atomic.add<i32>(JOBS, 1)
  atomic.notify(JOBS, -1)
}
