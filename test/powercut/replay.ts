// Converts a server's recorded system calls to steps on a model disk, and finds the lines of its responses.

import { relative, resolve } from 'node:path'
import { bytesOf, pathIn, pathOfDescriptor, type SystemCall } from '../support/system-calls.ts'
import { emptyFile, type FileNode, isFolder, type ModelDisk, type Node } from './model-disk.ts'

export type Step = { line: number; apply(disk: ModelDisk): void; synced?: string }

export type Replay = {
  /** by line */
  steps: Step[]
  /** lines at which response heads and acknowledging messages were sent */
  answers: number[]
}

type Opened = { path: string; node: Node | null; at: number; appends: boolean }

const inHex = (text: string) =>
  [...text].map((character) => `\\x${character.charCodeAt(0).toString(16)}`).join('')
const HTTP = `"${inHex('HTTP/1.1 ')}`
/** Acknowledges a live recording. */
const KEPT = inHex('"type":"kept"')
const SENDS = new Set(['sendto', 'sendmsg', 'write', 'writev'])
/** Calls that write or sync files in ways that the model does not support. */
const UNKNOWN = new Set([
  ...['pwritev', 'pwritev2', 'link', 'linkat', 'symlink', 'symlinkat'],
  'copy_file_range',
  'splice',
  'sync_file_range',
  'syncfs',
  'sync',
  'io_uring_setup',
])

export function replayOf(calls: SystemCall[], dataFolder: string): Replay {
  const descriptors = new Map<number, Opened>()
  const steps: Step[] = []

  /** @returns the path relative to the data folder; null if outside */
  const within = (path: string): string | null => {
    const inside = relative(dataFolder, path)
    return inside === '' || (!inside.startsWith('..') && inside !== path) ? inside : null
  }
  const named = (arg: string, folder = '') => within(resolve(pathOfDescriptor(folder), pathIn(arg)))

  function open({ name, args, result, ended }: SystemCall): void {
    const [path, flags] =
      name === 'openat' ? [named(args[1]!, args[0]), args[2]!] : [named(args[0]!), args[1]!]
    if (path === null || result < 0) return
    const opened: Opened = { path, node: null, at: 0, appends: flags.includes('O_APPEND') }
    steps.push({
      line: ended,
      apply(disk) {
        opened.at = 0
        opened.node = disk.find(path) ?? null
        if (opened.node === null && flags.includes('O_CREAT')) {
          opened.node = emptyFile()
          disk.make(path, opened.node)
        }
        const { node } = opened
        if (flags.includes('O_TRUNC') && node !== null && !isFolder(node)) disk.resize(node, 0)
      },
    })
    descriptors.set(result, opened)
  }

  function onFile(
    { args, ended }: SystemCall,
    apply: (disk: ModelDisk, file: FileNode, opened: Opened) => void,
  ) {
    const opened = descriptors.get(Number.parseInt(args[0]!, 10))
    if (opened === undefined) return
    steps.push({
      line: ended,
      apply: (disk) => {
        if (opened.node !== null && !isFolder(opened.node)) apply(disk, opened.node, opened)
      },
    })
  }

  function sync({ args, begun, ended, result }: SystemCall): void {
    const opened = descriptors.get(Number.parseInt(args[0]!, 10))
    if (opened === undefined || result !== 0) return
    let answered: (() => void) | null = null
    steps.push({
      line: begun,
      apply: (disk) => {
        answered = opened.node && disk.sync(opened.node)
      },
    })
    steps.push({ line: ended, apply: () => answered?.(), synced: opened.path })
  }

  /** @param hasFolders whether a folder descriptor precedes each path */
  const onNames =
    (hasFolders: boolean, change: (disk: ModelDisk, path: string, to: string) => void) =>
    ({ args, result, ended }: SystemCall) => {
      const [path, to = path] = hasFolders
        ? [named(args[1]!, args[0]), args[3] === undefined ? undefined : named(args[3], args[2])]
        : [named(args[0]!), args[1]?.startsWith('"') ? named(args[1]) : undefined]
      if (result !== 0 || path === null || to === null || path === undefined || to === undefined) return
      steps.push({ line: ended, apply: (disk) => change(disk, path, to) })
    }

  const write = (call: SystemCall) =>
    onFile(call, (disk, file, opened) => {
      const bytes = bytesOf(call.args.slice(1).join()).subarray(0, call.result)
      if (opened.appends) opened.at = file.bytes.length
      disk.write(file, bytes, opened.at)
      opened.at += bytes.length
    })
  const makeFolder = (disk: ModelDisk, path: string) => disk.makeFolder(path)
  const remove = (disk: ModelDisk, path: string) => disk.remove(path)
  const rename = (disk: ModelDisk, from: string, to: string) => disk.rename(from, to)

  const following: Record<string, (call: SystemCall) => void> = {
    ...{ open, openat: open, creat: open, write, writev: write, fsync: sync, fdatasync: sync },
    close: ({ args }) => void descriptors.delete(Number.parseInt(args[0]!, 10)),
    pwrite64: (call) =>
      onFile(call, (disk, file) =>
        disk.write(file, bytesOf(call.args[1]!).subarray(0, call.result), Number(call.args[3])),
      ),
    truncate: ({ args, result, ended }) => {
      const path = named(args[0]!)
      if (result !== 0 || path === null) return
      steps.push({
        line: ended,
        apply(disk) {
          const node = disk.find(path)
          if (node !== undefined && !isFolder(node)) disk.resize(node, Number(args[1]))
        },
      })
    },
    ftruncate: (call) => onFile(call, (disk, file) => disk.resize(file, Number(call.args[1]))),
    fallocate: (call) =>
      onFile(call, (disk, file) =>
        disk.resize(file, Math.max(file.bytes.length, Number(call.args[2]) + Number(call.args[3]))),
      ),
    ...{ mkdir: onNames(false, makeFolder), mkdirat: onNames(true, makeFolder) },
    ...{ unlink: onNames(false, remove), rmdir: onNames(false, remove), unlinkat: onNames(true, remove) },
    ...{ rename: onNames(false, rename), renameat: onNames(true, rename), renameat2: onNames(true, rename) },
  }
  // A descriptor exists from the end of open, and may be reused from the beginning of close.
  const timeOf = (call: SystemCall) => (following[call.name] === open ? call.ended : call.begun)
  for (const call of calls.toSorted((one, other) => timeOf(one) - timeOf(other))) {
    if (UNKNOWN.has(call.name))
      throw new Error(`the server used ${call.name}, which the model disk does not support`)
    following[call.name]?.(call)
  }

  const answers = calls.filter(
    ({ name, args, result }) =>
      SENDS.has(name) && result > 0 && [HTTP, KEPT].some((start) => args.join().includes(start)),
  )
  return {
    steps: steps.toSorted((one, other) => one.line - other.line),
    answers: answers.map(({ begun }) => begun),
  }
}
