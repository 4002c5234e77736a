// Classifies an error of the embedded database: damaged files, or a shortage of the machine.

/** The resources that a process can run out of, and the remedy for the user. */
const REMEDIES = {
  disk: 'Free some space on the disk of the data folder',
  handles: 'Allow this process more open files (ulimit -n)',
  memory: 'Give this process more memory',
  rights: 'Let this user read and write all of the data folder',
} as const

export type Want = keyof typeof REMEDIES

/** Error texts of the operating system and of Postgres, which quotes the system's text. */
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

/** Internal errors, such as a damaged page, and files that are unreadable or missing. */
const DAMAGED = /^(XX|58)...$/
/** Our own files hold each id once: a duplicate means an index entry without a row in its table. */
const TWICE = ['23505', '21000']

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error ? String(error.code) : null

/** Null if no shortage is known. */
export function wantIn(error: unknown): Want | null {
  const code = codeOf(error)
  if (code !== null) return WANTS[code] ?? null
  // The runtime's own error: no memory for a module.
  return error instanceof RangeError || /out of memory|cannot allocate/i.test(String(error)) ? 'memory' : null
}

export const remedyFor = (want: Want): string => REMEDIES[want]

/** Whether the database reports damage, or aborted in the middle of its work. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code === null ? error instanceof WebAssembly.RuntimeError : DAMAGED.test(code)
}

/** Applies only while rows are restored from our own files; later a client may well send a duplicate. */
export const isDamageWhileFilled = (error: unknown): boolean =>
  isDamage(error) || TWICE.includes(codeOf(error) ?? '')
