// Lists: aligned lines on a terminal, complete values separated by tabs for other programs.

/** What a terminal shows, and what a program reads. `isStyled`: `shown` has terminal codes, and untrusted text in it is already cleaned. */
export type Cell = string | { shown: string; piped: string; isStyled?: boolean }

type Output = { isTTY?: boolean; columns?: number }

const GAP = '  '
const USUAL_COLUMNS = 80

/** A line for each row, without a line break at the end. */
export function rowsText(rows: readonly Cell[][], output: Output = process.stdout): string {
  if (output.isTTY !== true)
    return rows.map((row) => row.map((cell) => oneLine(pipedOf(cell))).join('\t')).join('\n')
  const shown = rows.map((row) => row.map(shownOf))
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => Bun.stringWidth(row[column]!))),
  )
  return shown.map((row) => clipped(aligned(row, widths), output.columns || USUAL_COLUMNS)).join('\n')
}

const pipedOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.piped)

function shownOf(cell: Cell): string {
  if (typeof cell === 'string') return oneLine(cell)
  return cell.isStyled ? cell.shown : oneLine(cell.shown)
}

const aligned = (row: string[], widths: number[]): string =>
  row
    .map((cell, column) => cell + ' '.repeat(widths[column]! - Bun.stringWidth(cell)))
    .join(GAP)
    .trimEnd()

/** Untrusted text must not control the terminal or add a column. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/** Like `oneLine`, but keeps line breaks. */
export const withoutControls = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, '')

const clipped = (line: string, columns: number): string =>
  Bun.stringWidth(line) <= columns ? line : `${Bun.sliceAnsi(line, 0, columns - 1)}…`

/** Aligned names and values; values that are null or empty are left out. */
export function fieldsText(fields: readonly (readonly [name: string, value: string | null])[]): string {
  const given = fields.filter(([, value]) => value !== null && value !== '')
  const width = Math.max(0, ...given.map(([name]) => name.length))
  return given.map(([name, value]) => `${name.padEnd(width)}${GAP}${oneLine(value!)}`).join('\n')
}

const two = (value: number) => String(value).padStart(2, '0')

/** A moment in the local time zone, to the minute. */
export function localMinute(iso: string): string {
  const at = new Date(iso)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** In UTC for programs. */
export const momentCell = (iso: string): Cell => ({ shown: localMinute(iso), piped: iso })

/** The first part of a UUIDv7 is the time, which items share; its end is random. */
export const idCell = (id: string): Cell => ({ shown: id.slice(-8), piped: id })
