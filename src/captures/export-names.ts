// File names for an archive: valid on every file system, readable and unique.

const MAX_CHARACTERS = 80

/** Forbidden on Windows, in the archive itself, or awkward in a shell. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu
/** Devices on Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** `2026-01-31 title`, without an extension; the same title a second time becomes `2026-01-31 title (2)`. */
export type ExportNames = (capture: { recordedAt: Date; title: string }) => string

/** Remembers the names it returned, about 100 bytes each. */
export function createExportNames(): ExportNames {
  /** number of uses per name, compared as file systems compare names */
  const given = new Map<string, number>()
  return ({ recordedAt, title }) => {
    const wanted = `${dayOf(recordedAt)} ${safe(title)}`.trimEnd()
    for (;;) {
      const key = wanted.toLowerCase()
      const times = (given.get(key) ?? 0) + 1
      given.set(key, times)
      const name = times === 1 ? wanted : `${wanted} (${times})`
      if (times === 1) return name
      // A user's own title may be "title (2)".
      if (!given.has(name.toLowerCase())) {
        given.set(name.toLowerCase(), 1)
        return name
      }
    }
  }
}

function safe(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(UNSAFE, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/^[\s.]+/, '')
  const short = [...plain]
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/[\s.]+$/, '')
  return RESERVED.test(short) ? `_${short}` : short
}

/** Local time, by this computer's clock. */
function dayOf(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
