// Writes sections of RELIABILITY.md. Each harness replaces only its own section; sections that no harness writes are kept.

import { join, resolve } from 'node:path'
import { PROMISED_SECTIONS, PROMISES_TEXT } from './promises.ts'
import { machine, type Row } from './table.ts'

const RELIABILITY = join(resolve(import.meta.dir, '../..'), 'RELIABILITY.md')

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
export const withSection = (document: string, title: string, body: string): string => {
  const place = (section: Section) =>
    PROMISED_SECTIONS.includes(section.title)
      ? PROMISED_SECTIONS.indexOf(section.title)
      : PROMISED_SECTIONS.length
  return [PROMISES_TEXT]
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
export async function writeSection({ title, command, how, table }: MeasuredSection): Promise<void> {
  const body = `${how}

- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${await machine()}
- Command: \`${command}\`

${table}`
  const file = Bun.file(RELIABILITY)
  await Bun.write(file, withSection((await file.exists()) ? await file.text() : '', title, body))
}
