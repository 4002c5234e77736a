// Stops a running process at each system call that accesses a folder, and fails one of them or kills the process at it.
// A separate program, because it blocks in waitpid: `tracer.ts <pid> <folder> <n> <what>`; n = 0 only reports the calls.
// Detaches when killed. strace counts calls per thread, which is not reproducible with a thread pool; this counts them
// over all threads. Linux on x86-64.

import { dlopen, ptr } from 'bun:ffi'
import { closeSync, openSync, readdirSync, readlinkSync, readSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { CALLS, type TracerMessage } from './calls.ts'

// Constants of <sys/ptrace.h>, <sys/wait.h> and <sys/user.h>.
const [PTRACE_POKEUSER, PTRACE_SYSCALL] = [6, 24]
const [PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_GET_SYSCALL_INFO] = [0x4206, 0x4207, 0x420e]
const [TRACE_SYSGOOD, TRACE_CLONE] = [1, 8]
const WAIT_FOR_THREADS = 0x40000000
const SYSCALL_STOP = 5 | 0x80
const [ENTERED, LEFT] = [1, 2]
const [RAX, ORIGINAL_RAX] = [10 * 8, 15 * 8]
const ERRNO: Record<string, number> = { EIO: 5, ENOSPC: 28 }
const LONGEST_PATH = 4096
const KILL = 'SIGKILL'

const libc = dlopen('libc.so.6', {
  ptrace: { args: ['i32', 'i32', 'u64', 'i64'], returns: 'i32' },
  waitpid: { args: ['i32', 'ptr', 'i32'], returns: 'i32' },
}).symbols

const [pidText = '', folder = '', wantedText = '0', what = ''] = process.argv.slice(2)
const pid = Number(pidText)
const wanted = Number(wantedText)
/** op, nr and args of struct ptrace_syscall_info */
const info = new BigUint64Array(11)
const status = new Int32Array(1)
const failing = new Set<number>()
let count = 0

const emit = (message: TracerMessage) => writeSync(1, `${JSON.stringify(message)}\n`)

function textAt(thread: number, address: bigint): string {
  const memory = openSync(`/proc/${thread}/mem`, 'r')
  try {
    const bytes = new Uint8Array(LONGEST_PATH)
    const read = readSync(memory, bytes, 0, LONGEST_PATH, address)
    return new TextDecoder().decode(bytes.subarray(0, bytes.subarray(0, read).indexOf(0)))
  } catch {
    return ''
  } finally {
    closeSync(memory)
  }
}

function descriptorPath(thread: number, descriptor: bigint): string {
  try {
    return readlinkSync(`/proc/${thread}/fd/${BigInt.asIntN(32, descriptor)}`)
  } catch {
    return ''
  }
}

/** The path that the call accesses. */
function pathOf(thread: number, on: 'descriptor' | 'path' | 'path at'): string {
  const [first, second] = [info[4]!, info[5]!]
  if (on === 'descriptor') return descriptorPath(thread, first)
  if (on === 'path') return textAt(thread, first)
  const base = BigInt.asIntN(32, first) < 0n ? '/' : descriptorPath(thread, first)
  return resolve(base, textAt(thread, second))
}

function entered(thread: number): void {
  const call = CALLS[Number(info[3])]
  if (call === undefined) return
  const path = pathOf(thread, call.on)
  if (!path.startsWith(`${folder}/`) && path !== folder) return
  count++
  const isHit = count === wanted
  emit({ call: call.name, path: path.slice(folder.length + 1), isHit })
  if (!isHit) return
  if (what === KILL) process.kill(pid, KILL)
  else {
    // No call has this number, so the kernel does nothing; the error is set when the call returns.
    libc.ptrace(PTRACE_POKEUSER, thread, ORIGINAL_RAX, -1)
    failing.add(thread)
  }
}

function atCall(thread: number): void {
  libc.ptrace(PTRACE_GET_SYSCALL_INFO, thread, info.byteLength, Number(ptr(info)))
  const op = Number(info[0]! & 0xffn)
  if (op === ENTERED) entered(thread)
  else if (op === LEFT && failing.delete(thread)) libc.ptrace(PTRACE_POKEUSER, thread, RAX, -ERRNO[what]!)
}

for (const thread of readdirSync(`/proc/${pid}/task`).map(Number)) {
  if (libc.ptrace(PTRACE_SEIZE, thread, 0, TRACE_SYSGOOD | TRACE_CLONE) === 0)
    libc.ptrace(PTRACE_INTERRUPT, thread, 0, 0)
  else if (thread === pid) {
    emit({ failure: `process ${pid} cannot be traced here` })
    process.exit(1)
  }
}
emit({ ready: true })
for (;;) {
  const thread = libc.waitpid(-1, ptr(status), WAIT_FOR_THREADS)
  if (thread < 0) break
  const isStopped = (status[0]! & 0xff) === 0x7f
  if (!isStopped) continue
  const [signal, event] = [(status[0]! >> 8) & 0xff, status[0]! >> 16]
  if (signal === SYSCALL_STOP) atCall(thread)
  // Pass on signals for the process, but not the tracer's own stops.
  const passed = signal !== SYSCALL_STOP && event === 0 ? signal : 0
  libc.ptrace(PTRACE_SYSCALL, thread, 0, passed)
}
