// Transcribes every recording of test/languages/speech and short pieces of them, and prints for each language the word
// errors beside native whisper.cpp's, the detected language, and whether detection stays within lists of candidates.

import { rowsAsTable } from '../../scripts/bench/report.ts'
import type { Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import {
  CANDIDATES,
  type Detection,
  detectByRequest,
  detectBySetting,
  isOutside,
  setCandidates,
} from './candidates.ts'
import { languagesSpoken, pathOf, type Spoken, spokenIn } from './material.ts'
import { piecesOf, type SpokenPiece } from './pieces.ts'
import { startBaseServer, type Transcript, transcribe } from './transcribe.ts'
import { type ErrorRate, errorsIn, points, together } from './word-errors.ts'

const USAGE = `usage: npm run torture -- languages [--short]
Transcribes all recordings of test/languages/speech with the bundled base model, prints the word errors beside native
whisper.cpp's, and cuts some recordings into a hundred pieces of at least three seconds. Exits with 1 if the detected
language of a piece is not one of the candidates that are set or sent.
--short uses the shortest recording of each language and ten pieces: one minute of CPU time instead of ten.`

const { short = false } = optionsOrExit({ short: { type: 'boolean' } }, USAGE)

const PIECES = short ? 10 : 100
const PIECE_SECONDS = 3

const shortestFirst = (some: Spoken[]) => some.toSorted((one, other) => one.seconds - other.seconds)

const percent = (errors: ErrorRate) => `${points(errors).toFixed(1)} % of ${errors.of}`

function rowOf(language: string, transcribed: { one: Spoken; answer: Transcript }[]): Row {
  const read = transcribed.filter(({ one }) => one.text !== null)
  const ours = together(read.map(({ one, answer }) => errorsIn(answer.text, one.text!)))
  const native = together(read.map(({ one }) => errorsIn(one.native, one.text!)))
  const others = transcribed.filter(({ answer }) => answer.language !== language)
  const least = Math.min(...transcribed.map(({ answer }) => answer.language_probability ?? 0))
  const misdetected = others.map(({ one, answer }) => `${one.file} as ${answer.language}`).join(', ')
  return {
    what: `${language}, ${transcribed.length} recordings`,
    value: read.length === 0 ? 'no reference text' : `${percent(ours)}, native ${percent(native)}`,
    note: misdetected === '' ? `probability at least ${least.toFixed(2)}` : `detected: ${misdetected}`,
  }
}

/** The same number for each language, from different recordings first. */
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

function rowOfCandidates(what: string, detections: Detection[]): Row {
  const right = detections.filter(({ language, detected }) => detected === language).length
  const silent = detections.filter(({ detected }) => detected === null).length
  return {
    what: `${detections.length} pieces, candidates ${what}`,
    value: `${detections.filter(isOutside).length} outside`,
    note: `${right} correct, ${silent} without text`,
  }
}

await using server = await startBaseServer()
const rows: Row[] = []
for (const language of languagesSpoken) {
  const transcribed = []
  for (const one of shortestFirst(spokenIn(language)).slice(0, short ? 1 : undefined))
    transcribed.push({ one, answer: await transcribe(server, pathOf(one)) })
  rows.push(rowOf(language, transcribed))
}

const pieces = await takePieces()
const [bySetting, byRequest]: [Detection[], Detection[]] = [[], []]
for (const [language, candidates] of Object.entries(CANDIDATES)) {
  const spoken = pieces.filter((piece) => piece.language === language)
  await setCandidates(server, candidates)
  for (const piece of spoken) bySetting.push(await detectBySetting(server, piece))
  // The request takes precedence over the settings.
  await setCandidates(server, ['zh'])
  for (const piece of spoken) byRequest.push(await detectByRequest(server, piece))
}
rows.push(rowOfCandidates('set', bySetting), rowOfCandidates('sent', byRequest))

console.log(rowsAsTable(rows))
const outside = [...bySetting, ...byRequest].filter(isOutside)
for (const one of outside)
  console.error(`${one.name}: detected ${one.detected}, which is not one of ${one.candidates}`)
if (outside.length > 0) process.exitCode = 1
