import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { type AllFigures, goalsPage } from '../../../scripts/bench/figures.ts'

const project = resolve(import.meta.dir, '../../..')
const measured = {
  date: '2026-01-31',
  machine: 'a computer',
  command: 'npm run bench -- page',
  how: 'Twice.',
}

test('BENCHMARKS.md shows the figures of docs/benchmarks.json', async () => {
  const figures = (await Bun.file(join(project, 'docs/benchmarks.json')).json()) as AllFigures
  expect(await Bun.file(join(project, 'BENCHMARKS.md')).text()).toBe(goalsPage(figures))
})

test('the page lists the areas and rows with a goal, and says whether each is met', () => {
  const rows = [
    { what: 'load', value: '211.0 ms (p95 291.7 ms)', goal: '≤ 500 ms' },
    { what: 'ratio', value: '0.54', goal: '≥ 1.0' },
    { what: 'price', value: '−0.67 points', goal: '≤ 0.5 points' },
    { what: 'peer', value: 'not measured', goal: '≥ 1.3' },
    { what: 'of no goal', value: '3' },
  ]
  const page = goalsPage({
    'The page': { ...measured, rows },
    Kernels: { ...measured, rows: [{ kernel: 'a' }] },
  })
  expect(page.split('\n').filter((line) => line.startsWith('| '))).toEqual([
    '| measure | measured | goal | met |',
    '| load | 211.0 ms (p95 291.7 ms) | ≤ 500 ms | yes |',
    '| ratio | 0.54 | ≥ 1.0 | **no** |',
    '| price | −0.67 points | ≤ 0.5 points | yes |',
    '| peer | not measured | ≥ 1.3 |  |',
  ])
  expect(page).not.toContain('Kernels')
})
