// A command that a user saved: its triggers, its steps or instructions, and its validation.

import { type Static, Type } from '@sinclair/typebox'
import { nullable } from '../lib/schema.ts'
import { COMMAND_RULES, understand } from '../text/commands/grammar.ts'
import { readingsOf } from '../text/commands/utterance.ts'
import { fold, foldedName } from '../text/fold.ts'

export const COMMAND_LIMITS = {
  /** each instruction is compared with all of them */
  commands: 500,
  nameCharacters: 100,
  triggers: 20,
  triggerCharacters: 200,
  steps: 20,
  stepCharacters: 200,
  instructionsCharacters: 4000,
} as const

const content = {
  name: Type.String({ minLength: 1 }),
  /** the phrases that start it */
  triggers: Type.Array(Type.String({ minLength: 1 })),
  /** for a language model; null if the command has steps */
  instructions: nullable(Type.String()),
  /** built-in commands in order, each as it is spoken; null if the command has instructions */
  steps: nullable(Type.Array(Type.String())),
}
const ContentSchema = Type.Object(content)
export type CommandContent = Static<typeof ContentSchema>

export const SavedCommandSchema = Type.Object({
  /** UUIDv7 */
  id: Type.String({ minLength: 36, maxLength: 36 }),
  ...content,
  usageCount: Type.Integer({ minimum: 0 }),
  lastUsedAt: nullable(Type.Date()),
  createdAt: Type.Date(),
  updatedAt: Type.Date(),
})
export type SavedCommand = Static<typeof SavedCommandSchema>

/** Keys to compare utterances by: without polite words, case, accents and punctuation. Empty if nothing is left. */
export const triggerKeys = (utterance: string): string[] => readingsOf(utterance).map(keyOf).filter(Boolean)

function keyOf(reading: string): string {
  const folded = fold(reading)
  const words = folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim()
  return words === '' ? folded.trim() : words
}

/** `path` is a JSON Pointer; `message` follows the name of the field. */
export type ContentFault = { path: string; message: string }

/** The checks that a schema cannot express. */
export function findFaults({ name, triggers, instructions, steps }: CommandContent): ContentFault[] {
  const faults: ContentFault[] = []
  if (foldedName(name) === '') faults.push({ path: '/name', message: 'must not be blank' })
  if (COMMAND_RULES.some((rule) => rule.name === foldedName(name)))
    faults.push({ path: '/name', message: 'is the name of a built-in command' })
  if ((instructions === null) === (steps === null))
    faults.push({ path: '', message: 'must have either instructions or steps' })
  if (instructions !== null && instructions.trim() === '')
    faults.push({ path: '/instructions', message: 'must not be blank' })
  return [...faults, ...triggerFaults(triggers), ...stepFaults(steps ?? [])]
}

function triggerFaults(triggers: readonly string[]): ContentFault[] {
  const seen = new Set<string>()
  return triggers.flatMap((trigger, index) => {
    const path = `/triggers/${index}`
    const [key] = triggerKeys(trigger)
    if (key === undefined) return [{ path, message: 'must contain at least one word' }]
    if (seen.has(key)) return [{ path, message: 'is the same as another trigger of this command' }]
    seen.add(key)
    const builtIn = understand(trigger).find(({ exact }) => exact)
    if (builtIn === undefined) return []
    return [{ path, message: `is already a phrase of the built-in command "${builtIn.rule.name}"` }]
  })
}

function stepFaults(steps: readonly string[]): ContentFault[] {
  return steps.flatMap((step, index) => {
    const path = `/steps/${index}`
    const [match] = understand(step)
    if (match === undefined)
      return [{ path, message: 'is not a built-in command (GET /commands lists them)' }]
    if (match.rule.kind === 'insert')
      return [{ path, message: 'inserts text at the cursor and cannot be a step' }]
    return []
  })
}
