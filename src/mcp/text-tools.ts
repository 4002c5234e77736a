// Tools that change a text that the client sends, and the dictionary.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod/v4'
import { type Api, ApiFailure, withQuery } from './api.ts'
import { addTool } from './tool.ts'

/** The limit of the server's routes. */
const text = z.string().max(50_000)
const language = z.string().optional().describe('of the text, such as en; detected by default')
const warnings = z.array(z.object({ code: z.string(), message: z.string() }))

type Style = { id: string; name: string }

const refinedShape = {
  text: z.string(),
  changed: z.boolean(),
  style: z.string().describe('name of the writing style that was applied'),
  language: z.string().nullable(),
  used_llm: z.boolean(),
  warnings,
}

type Refined = Omit<z.output<z.ZodObject<typeof refinedShape>>, 'style'>

const runShape = {
  status: z.string().describe('unless `succeeded`, the output equals the text'),
  output: z.string(),
  changed: z.boolean(),
  used_llm: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
}

export function addTextTools(server: McpServer, api: Api): void {
  addTool(server, {
    name: 'refine_text',
    title: 'Clean up a text',
    description:
      "Cleans up spoken text with the user's dictionary and a writing style: hesitations, punctuation, spoken symbols, numbers. Stores nothing. Without a style, the one that matches the application applies, else the user's default.",
    input: {
      text,
      style: z.string().max(200).optional().describe('name or id of a writing style'),
      app: z.string().max(500).optional().describe('name or id of the application that receives the text'),
      language,
    },
    output: refinedShape,
    async run({ text, style: wanted, app, language }, { signal }) {
      const style = await (wanted === undefined
        ? matchingStyle(api, withQuery('/writing-styles/match', { app, language }), signal)
        : namedStyle(api, wanted, signal))
      const path = `/writing-styles/${style.id}/preview`
      const json = { text, ...(language !== undefined && { language }) }
      return { ...(await api.request<Refined>('POST', path, { json, signal })), style: style.name }
    },
  })

  addTool(server, {
    name: 'run_command',
    title: 'Change a text by an instruction',
    description:
      'Runs an instruction of Command Mode on a text: "upper case", "sort lines", "replace cat with dog", a saved command, or anything else if the user has set a language model. Stores nothing.',
    input: {
      command: z.string().min(1).max(4000).describe('the instruction'),
      text: text.default('').describe('the text to change'),
      language,
    },
    output: runShape,
    run: ({ command, text, language }, { signal }) =>
      api.request<z.output<z.ZodObject<typeof runShape>>>('POST', '/commands/run', {
        json: { command, selected_text: text, dry_run: true, ...(language !== undefined && { language }) },
        signal,
      }),
  })
}

const entryShape = {
  id: z.string(),
  type: z.string(),
  word: z.string(),
  replacement: z.string().nullable(),
  aliases: z.array(z.string()),
  language: z.string().nullable(),
}

export function addDictionaryTool(server: McpServer, api: Api): void {
  addTool(server, {
    name: 'add_to_dictionary',
    title: 'Add a word to the dictionary',
    description:
      'Adds a word that future transcriptions should recognize; with a replacement, the recognized word is rewritten to it ("git hub" to "GitHub"). Call it only if the user wants it.',
    input: {
      word: z.string().min(1).max(200),
      replacement: z.string().min(1).max(10_000).optional(),
      aliases: z
        .array(z.string().min(1).max(200))
        .max(20)
        .optional()
        .describe('other forms that are rewritten, too'),
      language: z.string().optional().describe('applies to this language only'),
    },
    output: entryShape,
    changes: true,
    run: (entry, { signal }) =>
      api.request<z.output<z.ZodObject<typeof entryShape>>>('POST', '/dictionary', {
        json: { type: entry.replacement === undefined ? 'term' : 'replacement', ...entry },
        signal,
      }),
  })
}

async function matchingStyle(api: Api, path: string, signal: AbortSignal): Promise<Style> {
  return (await api.request<{ style: Style }>('GET', path, { signal })).style
}

async function namedStyle(api: Api, wanted: string, signal: AbortSignal): Promise<Style> {
  const { items } = await api.request<{ items: Style[] }>('GET', '/writing-styles', { signal })
  const name = wanted.toLowerCase()
  const style = items.find((one) => one.id === name || one.name.toLowerCase() === name)
  if (style !== undefined) return style
  const names = items.map((one) => one.name).join(', ')
  throw new ApiFailure(
    'writing_style_not_found',
    `There is no writing style "${wanted}". Use one of ${names}.`,
  )
}
