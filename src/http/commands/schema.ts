import { type Static, Type } from '@sinclair/typebox'
import { COMMAND_KINDS } from '../../commands/command-run.ts'
import {
  COMMAND_LIMITS,
  type CommandContent,
  type SavedCommand,
  SavedCommandSchema,
} from '../../commands/saved-command.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { wireMapper } from '../../lib/schema-mapping.ts'
import { COMMAND_GROUPS, groupOfCommand } from '../../text/commands/grammar.ts'
import type { CommandRule } from '../../text/commands/rule.ts'
import { readOnly } from '../kernel/json-body.ts'
import { dateTime, listOf, strictObject, text, wholeNumber } from '../kernel/schema.ts'

const LIMITS = COMMAND_LIMITS

export const CommandSchema = strictObject(
  {
    id: nullable(uuid(), { description: 'null for built-in commands' }),
    source: oneOf(['built_in', 'saved']),
    name: text({}),
    kind: oneOf(COMMAND_KINDS),
    group: nullable(oneOf(COMMAND_GROUPS), {
      description: 'built-in commands of the same sort; null for saved commands',
    }),
    description: text({}),
    examples: Type.Array(text({}), { description: 'example phrases' }),
    triggers: Type.Array(text({}), {
      description:
        'phrases that start a saved command; empty for built-in commands, which accept too many variants to list',
    }),
    instructions: nullable(text({}), { description: 'instructions for the language model' }),
    steps: nullable(Type.Array(text({})), { description: 'built-in commands, in order' }),
    usage_count: nullable(wholeNumber({ minimum: 0 }), {
      description: 'null for built-in commands, whose use is not counted',
    }),
    last_used_at: nullable(dateTime()),
    created_at: nullable(dateTime()),
    updated_at: nullable(dateTime()),
  },
  { $id: 'Command' },
)

export const CommandListSchema = listOf(CommandSchema, { $id: 'CommandList' })

const content = {
  name: text({ minLength: 1, maxLength: LIMITS.nameCharacters, description: 'unique' }),
  triggers: Type.Array(text({ minLength: 1, maxLength: LIMITS.triggerCharacters }), {
    minItems: 1,
    maxItems: LIMITS.triggers,
    description: 'phrases that start the command; politeness, case and punctuation are ignored',
  }),
  instructions: Type.Optional(
    nullable(text({ minLength: 1, maxLength: LIMITS.instructionsCharacters }), {
      description: 'what the language model should do with the text; an alternative to `steps`',
    }),
  ),
  steps: Type.Optional(
    nullable(
      Type.Array(text({ minLength: 1, maxLength: LIMITS.stepCharacters }), {
        minItems: 1,
        maxItems: LIMITS.steps,
      }),
      { description: 'built-in commands in order, by name or by phrase; an alternative to `instructions`' },
    ),
  ),
}

export const CommandContentSchema = strictObject(content, { $id: 'CommandContent' })

const { name: _n, triggers: _t, instructions: _i, steps: _s, ...fixed } = CommandSchema.properties

export const CommandReplacementSchema = strictObject(
  { ...content, ...readOnly(fixed) },
  { $id: 'CommandReplacement' },
)

export const commandContentOf = (body: Static<typeof CommandContentSchema>): CommandContent => ({
  name: body.name.trim(),
  triggers: body.triggers.map((trigger) => trigger.trim()),
  instructions: body.instructions ?? null,
  steps: body.steps ?? null,
})

export const commandContentExample = {
  name: 'Clean list',
  triggers: ['clean this list'],
  steps: ['remove empty lines', 'sort lines', 'bullet list'],
} satisfies Static<typeof CommandContentSchema>

export const commandExample: Static<typeof CommandSchema> = {
  id: '01980000-0000-7000-8000-000000000002',
  source: 'saved',
  ...commandContentExample,
  kind: 'transform',
  group: null,
  description: 'remove empty lines, then sort lines, then bullet list',
  examples: ['clean this list'],
  instructions: null,
  usage_count: 3,
  last_used_at: '2026-01-31T12:00:00.000Z',
  created_at: '2026-01-30T12:00:00.000Z',
  updated_at: '2026-01-30T12:00:00.000Z',
}

export const wireBuiltIn = (rule: CommandRule): Static<typeof CommandSchema> => ({
  id: null,
  source: 'built_in',
  name: rule.name,
  kind: rule.kind,
  group: groupOfCommand(rule),
  description: rule.description,
  examples: [rule.example],
  triggers: [],
  instructions: null,
  steps: null,
  usage_count: null,
  last_used_at: null,
  created_at: null,
  updated_at: null,
})

const mapSaved = wireMapper(SavedCommandSchema.properties)

export const wireSaved = (command: SavedCommand): Static<typeof CommandSchema> => ({
  ...mapSaved(command),
  source: 'saved',
  kind: 'transform',
  group: null,
  description: command.instructions ?? (command.steps ?? []).join(', then '),
  examples: command.triggers,
})
