// Writes the figures of one area to docs/benchmarks.json, and BENCHMARKS.md, which shows those with a goal.

import { join, resolve } from 'node:path'
import { markdownTable } from './report.ts'
import { machine, type Row } from './table.ts'

const project = resolve(import.meta.dir, '../..')

/** Areas in the order of BENCHMARKS.md. */
const AREAS = [
  'Server',
  'Executable',
  'Long recordings',
  'Search and statistics',
  'The page',
  'Engine',
  'Encoders and tokens of all sizes',
  'Large models',
  'Kernels',
  'Live, tiny.en',
  'Live, base',
  'Dictation, base',
] as const

export type Area = (typeof AREAS)[number]

/** Cells by column. A row of the shape `Row` with a goal appears in BENCHMARKS.md. */
type Cells = Readonly<Record<string, string | undefined>>

type Figures = {
  /** ISO date of the measurement */
  date: string
  machine: string
  command: string
  /** the conditions of the measurement */
  how: string
  rows: readonly (Row | Cells)[]
}

export type AllFigures = Partial<Record<Area, Figures>>

const HEAD = `# Benchmarks

The goals of each area and the figures of its last measurement. The command of an area writes its table; do not edit this
page by hand. [docs/benchmarks.json](docs/benchmarks.json) has all figures and how they were measured;
[docs/experiments.md](docs/experiments.md) lists what was tried. "A ÷ B" compares the times of A and B in the same run.
`

const isWithGoal = (row: Row | Cells): row is Row & { goal: string } => typeof row.goal === 'string'

const numberIn = (text: string): number =>
  Number.parseFloat(text.replace('−', '-').replace(/^[^\d-]*(?=[-\d])/, ''))

/** Null if nothing was measured. */
function isMet({ value, goal }: { value: string; goal: string }): boolean | null {
  const [found, limit] = [numberIn(value), numberIn(goal)]
  if (Number.isNaN(found)) return null
  return goal.startsWith('≥') ? found >= limit : found <= limit
}

const MARKS = new Map([
  [true, 'yes'],
  [false, '**no**'],
  [null, ''],
])

/** Empty for an area without goals. */
function sections(area: Area, figures: Figures | undefined): string[] {
  if (figures === undefined) return []
  const { date, machine, command, rows } = figures
  const goals = rows.filter(isWithGoal)
  if (goals.length === 0) return []
  const table = markdownTable(
    ['measure', 'measured', 'goal', 'met'],
    goals.map((row) => [row.what, row.value, row.goal, MARKS.get(isMet(row)) ?? '']),
  )
  return [`## ${area}\n\n\`${command}\`, ${date}, ${machine}\n\n${table}\n`]
}

/** BENCHMARKS.md. */
export const goalsPage = (figures: AllFigures): string =>
  [HEAD, ...AREAS.flatMap((area) => sections(area, figures[area]))].join('\n')

/** Replaces the figures of the area, with today's date and this machine. */
export async function writeFigures(
  area: Area,
  { command, how, rows }: Pick<Figures, 'command' | 'how' | 'rows'>,
): Promise<void> {
  const file = Bun.file(join(project, 'docs/benchmarks.json'))
  const date = new Date().toISOString().slice(0, 10)
  const measured = { date, machine: await machine(), command, how, rows }
  const figures: AllFigures = { ...((await file.json()) as AllFigures), [area]: measured }
  await Bun.write(file, `${JSON.stringify(figures, null, 2)}\n`)
  await Bun.write(join(project, 'BENCHMARKS.md'), goalsPage(figures))
}
