// Writes sections of BENCHMARKS.md and RELIABILITY.md. Each command replaces only its own section; sections that no
// command writes are kept.

import { fileURLToPath } from 'node:url'
import { PROMISED_SECTIONS, PROMISES_TEXT } from './promises.ts'
import { machine, type Row } from './table.ts'

/** A file of sections: its introduction, and the sections that commands write, in order; all others follow. */
type Report = { file: string; head: string; measured: readonly string[] }

const reportAt = (name: string, report: Omit<Report, 'file'>): Report => ({
  file: fileURLToPath(new URL(`../../${name}`, import.meta.url)),
  ...report,
})

export const BENCHMARKS = reportAt('BENCHMARKS.md', {
  head: `# Benchmarks

The command above each table writes it; do not edit tables by hand.
`,
  measured: [
    'Server',
    'Long recordings',
    'Search and statistics',
    'The page',
    'Engine',
    'Large models',
    'Kernels',
    'Live, tiny.en',
    'Live, base',
  ],
})

export const RELIABILITY = reportAt('RELIABILITY.md', {
  head: PROMISES_TEXT,
  measured: PROMISED_SECTIONS,
})

type Section = { title: string; body: string }

const sectionsOf = (document: string): Section[] =>
  document
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [title = '', ...lines] = text.split('\n')
      return { title, body: lines.join('\n').trim() }
    })

/** The document with that section replaced; all other sections are unchanged. */
export const withSection = (
  document: string,
  title: string,
  body: string,
  { head, measured }: Omit<Report, 'file'> = BENCHMARKS,
): string => {
  const place = (section: Section) =>
    measured.includes(section.title) ? measured.indexOf(section.title) : measured.length
  return [head]
    .concat(
      [...sectionsOf(document).filter((section) => section.title !== title), { title, body: body.trim() }]
        .toSorted((one, other) => place(one) - place(other))
        .map((section) => `## ${section.title}\n\n${section.body}\n`),
    )
    .join('\n')
}

/** Cells may contain anything except line breaks. */
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

/** Replaces the section in its file, with today's date and this machine. */
export const writeSection = async (
  { title, command, how, table }: MeasuredSection,
  report: Report = BENCHMARKS,
): Promise<void> => {
  const body = `${how}

- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${await machine()}
- Command: \`${command}\`

${table}`
  const file = Bun.file(report.file)
  await Bun.write(file, withSection((await file.exists()) ? await file.text() : '', title, body, report))
}
