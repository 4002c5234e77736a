// Hears every recording of test/languages/speech and short pieces of them, and prints how well, language by language:
// words against native whisper.cpp's, the language that was found, and whether lists of candidates are kept to.

import { rowsAsTable } from '../../scripts/bench/report.ts'
import type { Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
import {
  CANDIDATES,
  type HeardIn,
  heardByRequest,
  heardBySetting,
  isOutside,
  setCandidates,
} from './candidates.ts'
import { type Heard, hear, startHearing } from './heard.ts'
import { languagesSpoken, pathOf, type Spoken, spokenIn } from './material.ts'
import { piecesOf, type SpokenPiece } from './pieces.ts'
import { points, together, type Wrong, wrongIn } from './written.ts'

const USAGE = `usage: npm run languages -- [--short]
Hears all recordings of test/languages/speech by the model that comes with the server, prints words wrong beside native
whisper.cpp's, and cuts some of them into a hundred pieces of three seconds or more, none of which may be heard in a
language outside of the candidates that are set or sent. Exits with 1 where one was.
--short takes the shortest recording of each language and ten pieces, a minute of processor time where all take ten.`

const { short = false } = optionsOrExit({ short: { type: 'boolean' } }, USAGE)

const PIECES = short ? 10 : 100
const PIECE_SECONDS = 3

const shortestFirst = (some: Spoken[]) => some.toSorted((one, other) => one.seconds - other.seconds)

const percent = (wrong: Wrong) => `${points(wrong).toFixed(1)} % of ${wrong.of}`

function rowOf(language: string, heard: { one: Spoken; answer: Heard }[]): Row {
  const read = heard.filter(({ one }) => one.text !== null)
  const ours = together(read.map(({ one, answer }) => wrongIn(answer.text, one.text!)))
  const native = together(read.map(({ one }) => wrongIn(one.native, one.text!)))
  const others = heard.filter(({ answer }) => answer.language !== language)
  const least = Math.min(...heard.map(({ answer }) => answer.language_probability ?? 0))
  const taken = others.map(({ one, answer }) => `${one.file} for ${answer.language}`).join(', ')
  return {
    what: `${language}, ${heard.length} recordings`,
    value:
      read.length === 0 ? 'nobody wrote down what was read' : `${percent(ours)}, native ${percent(native)}`,
    note: taken === '' ? `probability at least ${least.toFixed(2)}` : `taken: ${taken}`,
  }
}

/** As many of each language, from different recordings first. */
async function takePieces(): Promise<SpokenPiece[]> {
  const each = PIECES / Object.keys(CANDIDATES).length
  const pieces: SpokenPiece[] = []
  for (const language of Object.keys(CANDIDATES)) {
    const some = shortestFirst(spokenIn(language)).slice(0, each)
    const cut = await piecesOf(some, PIECE_SECONDS)
    const turn = new Map<string, number>()
    const turns = cut.map((piece) => {
      const at = turn.get(piece.from) ?? 0
      turn.set(piece.from, at + 1)
      return { piece, at }
    })
    const inTurn = turns.toSorted((one, other) => one.at - other.at).map(({ piece }) => piece)
    pieces.push(...inTurn.slice(0, each))
  }
  return pieces
}

function rowOfCandidates(what: string, heard: HeardIn[]): Row {
  const right = heard.filter(({ language, heardIn }) => heardIn === language).length
  const silent = heard.filter(({ heardIn }) => heardIn === null).length
  return {
    what: `${heard.length} pieces, candidates ${what}`,
    value: `${heard.filter(isOutside).length} outside`,
    note: `${right} in the language that is spoken, in ${silent} nothing was heard`,
  }
}

await using server = await startHearing()
const rows: Row[] = []
for (const language of languagesSpoken) {
  const heard = []
  for (const one of shortestFirst(spokenIn(language)).slice(0, short ? 1 : undefined))
    heard.push({ one, answer: await hear(server, pathOf(one)) })
  rows.push(rowOf(language, heard))
}

const pieces = await takePieces()
const [bySetting, byRequest]: [HeardIn[], HeardIn[]] = [[], []]
for (const [language, candidates] of Object.entries(CANDIDATES)) {
  const spoken = pieces.filter((piece) => piece.language === language)
  await setCandidates(server, candidates)
  for (const piece of spoken) bySetting.push(await heardBySetting(server, piece))
  // What a request names goes before what is set.
  await setCandidates(server, ['zh'])
  for (const piece of spoken) byRequest.push(await heardByRequest(server, piece))
}
rows.push(rowOfCandidates('set', bySetting), rowOfCandidates('sent', byRequest))

console.log(rowsAsTable(rows))
const outside = [...bySetting, ...byRequest].filter(isOutside)
for (const one of outside)
  console.error(`${one.name} was heard in ${one.heardIn}, not in any of ${one.candidates}`)
if (outside.length > 0) process.exitCode = 1
