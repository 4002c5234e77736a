// What an error of the embedded database is a sign of: damage of its files, or something that the machine lacks.
// What is done about either is embedded.ts.

/** What a process can be short of, and what a person does about it. */
const REMEDIES = {
  disk: 'Make room on the disk of the data folder',
  handles: 'Allow this process more open files (ulimit -n)',
  memory: 'Give this process more memory',
  rights: 'Let this user read and write all of the data folder',
} as const

export type Want = keyof typeof REMEDIES

/** The operating system's own words and Postgres's for it, which tells each apart since it names the error it was given. */
const WANTS: Record<string, Want> = {
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  '53100': 'disk',
  EMFILE: 'handles',
  ENFILE: 'handles',
  '53000': 'handles',
  ENOMEM: 'memory',
  '53200': 'memory',
  EACCES: 'rights',
  EPERM: 'rights',
  EROFS: 'rights',
  '42501': 'rights',
}

/** Internal errors, of which a damaged page is one, and files that cannot be read or are not there. */
const DAMAGED = /^(XX|58)...$/
/** What is read from our own files has one row for each id: another one stands in an index that its table knows nothing of. */
const TWICE = ['23505', '21000']

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error ? String(error.code) : null

/** Null where nothing is known to be lacking. */
export function wantIn(error: unknown): Want | null {
  const code = codeOf(error)
  if (code !== null) return WANTS[code] ?? null
  // The runtime's own: a module or its memory that finds no room.
  return error instanceof RangeError || /out of memory|cannot allocate/i.test(String(error)) ? 'memory' : null
}

export const remedyFor = (want: Want): string => REMEDIES[want]

/** Whether the database itself says so, or has come to an end in the middle of its work. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code === null ? error instanceof WebAssembly.RuntimeError : DAMAGED.test(code)
}

/** While rows are made from our own files; later a person may well ask for the same thing twice. */
export const isDamageWhileFilled = (error: unknown): boolean =>
  isDamage(error) || TWICE.includes(codeOf(error) ?? '')
