// Records the system calls of a server with strace, and parses the recording. Linux only, where ptrace is allowed.

/**
 * Everything that creates, writes, names, removes or syncs a file; everything sent to clients; and the creation of
 * threads.
 */
const RECORDED = [
  ...['open', 'openat', 'creat', 'close', 'clone', 'clone3', 'fork', 'vfork'],
  ...['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'ftruncate', 'truncate', 'fallocate'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat'],
  ...['unlink', 'unlinkat', 'rmdir', 'mkdir', 'mkdirat'],
  ...['fsync', 'fdatasync', 'sync_file_range', 'syncfs', 'sync'],
  ...['copy_file_range', 'sendfile', 'splice', 'io_uring_setup', 'sendto', 'sendmsg'],
].map((name) => `?${name}`)

export type SystemCall = {
  /** of the thread */
  pid: number
  name: string
  /** as strace writes them, every string in hexadecimal */
  args: string[]
  /** -1 on an error */
  result: number
  /** the lines of the recording at which the call began and returned */
  begun: number
  ended: number
}

/** Null if strace is available. */
export function whyNoStrace(): string | null {
  if (process.platform !== 'linux') return 'strace is for Linux'
  if (Bun.which('strace') === null) return 'strace is not installed (Debian: apt-get install strace)'
  const { exitCode, stderr } = Bun.spawnSync(['strace', '-o', '/dev/null', 'true'])
  return exitCode === 0 ? null : `strace may not trace here: ${stderr.toString().trim()}`
}

/** Runs the command passed after it in the same process; the tracer is a child that ends with it. */
export const recordingTo = (file: string): string[] => [
  ...['strace', '-D', '-f', '-y', '-xx', '-s', '1000000000', '--seccomp-bpf', '-o', file],
  ...['-e', `trace=${RECORDED.join(',')}`],
]

const CALL = /^(\d+) +([a-z_0-9]+)\((.*)$/
const RESUMED = /^(\d+) +<\.\.\. [a-z_0-9]+ resumed>(.*)$/
const ANSWER = /^(.*)\) += (-?\d+)/
const UNFINISHED = ' <unfinished ...>'

/** In the order in which they began; calls that did not return are left out. */
export function readCalls(recording: string): SystemCall[] {
  const calls: SystemCall[] = []
  const open = new Map<number, { name: string; text: string; begun: number }>()
  for (const [line, text] of recording.split('\n').entries()) {
    const resumed = RESUMED.exec(text)
    const started = resumed === null ? CALL.exec(text) : null
    const pid = Number((resumed ?? started)?.[1])
    if (started !== null && started[3]!.endsWith(UNFINISHED)) {
      open.set(pid, { name: started[2]!, text: started[3]!.slice(0, -UNFINISHED.length), begun: line })
      continue
    }
    const before = resumed === null ? undefined : open.get(pid)
    if (started === null && before === undefined) continue
    open.delete(pid)
    const [, given, result] = ANSWER.exec((before?.text ?? '') + (resumed?.[2] ?? started?.[3])) ?? []
    if (given === undefined) continue
    const [name, begun] = [before?.name ?? started![2]!, before?.begun ?? line]
    calls.push({ pid, name, args: given.split(/, */), result: Number(result), begun, ended: line })
  }
  return calls.toSorted((one, other) => one.begun - other.begun)
}

const fromHex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')

/** All strings of an argument joined: written bytes, or a path. */
export const bytesOf = (arg: string): Uint8Array =>
  Buffer.concat([...arg.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => fromHex(hex!)))

export const pathIn = (arg: string): string => Buffer.from(bytesOf(arg)).toString()

/** The path of a descriptor at the time of the call. */
export const pathOfDescriptor = (arg: string): string =>
  fromHex(/<((?:\\x[0-9a-f]{2})*)>/.exec(arg)?.[1] ?? '').toString()

/** The calls of the first process's threads, without those of its children. */
export function callsOfFirstProcess(calls: SystemCall[]): SystemCall[] {
  const threads = new Set([calls[0]!.pid])
  return calls.filter((call) => {
    if (threads.has(call.pid) && call.name.startsWith('clone') && call.args.join().includes('CLONE_THREAD'))
      threads.add(call.result)
    return threads.has(call.pid)
  })
}
