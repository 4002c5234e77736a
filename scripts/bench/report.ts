// BENCHMARKS.md: a section for each command that measures, so that none destroys what another wrote.
// Knows no numbers; sections that no command writes are kept as they are.

import { fileURLToPath } from 'node:url'
import { machine, type Row } from './table.ts'

const FILE = fileURLToPath(new URL('../../BENCHMARKS.md', import.meta.url))

/** Those that commands write, in the order of the file; all others follow. */
const MEASURED = ['Server', 'Search and statistics', 'Engine', 'Large models', 'Kernels']

const HEAD = `# Benchmarks

Every table is written by the command that is named above it, and not edited by hand.
`

type Section = { title: string; body: string }

const sectionsOf = (document: string): Section[] =>
  document
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [title = '', ...lines] = text.split('\n')
      return { title, body: lines.join('\n').trim() }
    })

const place = ({ title }: Section) => (MEASURED.includes(title) ? MEASURED.indexOf(title) : MEASURED.length)

/** The document with that section in its place; all other sections stay as they are. */
export const withSection = (document: string, title: string, body: string): string =>
  [HEAD]
    .concat(
      [...sectionsOf(document).filter((section) => section.title !== title), { title, body: body.trim() }]
        .toSorted((one, other) => place(one) - place(other))
        .map((section) => `## ${section.title}\n\n${section.body}\n`),
    )
    .join('\n')

/** Cells may hold anything but line breaks. */
export const markdownTable = (headings: string[], rows: string[][]): string => {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(headings), `|${headings.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

export const rowsAsTable = (rows: Row[]): string =>
  markdownTable(
    ['measure', 'value', 'note'],
    rows.map(({ what, value, note = '' }) => [what, value, note]),
  )

export type MeasuredSection = { title: string; command: string; how: string; table: string }

/** Replaces the section in BENCHMARKS.md, with today's date and this machine. */
export const writeSection = async ({ title, command, how, table }: MeasuredSection): Promise<void> => {
  const body = `${how}

- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${await machine()}
- Command: \`${command}\`

${table}`
  const file = Bun.file(FILE)
  await Bun.write(file, withSection((await file.exists()) ? await file.text() : '', title, body))
}
