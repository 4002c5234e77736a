// Tools that search, list and read captures.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod/v4'
import { firstCharacters } from '../lib/shorten.ts'
import { type Api, ApiFailure, withQuery } from './api.ts'
import { addTool } from './tool.ts'

const SOURCES = ['dictation', 'recording', 'file'] as const
/** Of each text in a list: enough to recognize it, and a page of 50 fits into a model's context. */
const MAX_LISTED_CHARACTERS = 400
const DEFAULT_CHARACTERS = 20_000

const captureShape = {
  id: z.string().describe('for get_capture'),
  title: z.string(),
  source: z.enum(SOURCES),
  status: z.string(),
  recorded_at: z.string().describe('ISO 8601 in UTC'),
  duration_ms: z.number().nullable(),
  detected_language: z.string().nullable(),
  word_count: z.number(),
  app_name: z.string().nullable().describe('the application that the user dictated into'),
  starred: z.boolean(),
  text: z.string(),
}

type Listed = z.output<z.ZodObject<typeof captureShape>> & { highlight?: string | null }

const day = (which: string) =>
  z.string().optional().describe(`recorded ${which}: a day such as 2026-01-31, or an ISO 8601 time`)

export const period = { since: day('at this time or later'), until: day('before this time') }

export const sourceFilter = z
  .enum(SOURCES)
  .optional()
  .describe('dictation: spoken live; recording: a longer recording; file: an imported file')

const filters = {
  source: sourceFilter,
  app: z.string().optional().describe('name or id of the application that the user dictated into'),
  language: z.string().optional().describe('ISO 639-1 code of the spoken language'),
  ...period,
  starred: z.boolean().optional(),
  limit: z.int().min(1).max(50).default(20),
  offset: z.int().min(0).default(0).describe('how many to skip'),
}

const found = {
  total: z.number().describe('matches in all'),
  items: z.array(
    z.object({
      ...captureShape,
      text: z.string().describe(`the first ${MAX_LISTED_CHARACTERS} characters; get_capture has all`),
      highlight: z.string().nullish().describe('the passage that matches, with <mark> around the words'),
    }),
  ),
}

async function list(api: Api, values: Parameters<typeof withQuery>[1], signal: AbortSignal) {
  const path = withQuery('/captures', values)
  const { items, total } = await api.request<{ items: Listed[]; total: number }>('GET', path, { signal })
  return { total, items: items.map((item) => ({ ...item, text: shortened(item.text) })) }
}

const shortened = (text: string): string => {
  const first = firstCharacters(text, MAX_LISTED_CHARACTERS)
  return first === text ? text : `${first}…`
}

const captureText = {
  max_characters: z.int().min(1).max(200_000).default(DEFAULT_CHARACTERS),
  from_character: z.int().min(0).default(0).describe('where to continue a text that was cut off'),
}

const detail = {
  ...captureShape,
  text: z.string().describe('the refined or corrected text, or else the transcript'),
  text_characters: z.number().describe('length of the whole text'),
  transcript_raw: z.string().nullable().describe('before refinement; null if it equals the text'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).optional(),
}

type Detail = Listed & {
  transcript_raw: string
  error: { code: string; message: string } | null
  segments: { start: number; end: number; text: string }[]
}

export function addCaptureTools(server: McpServer, api: Api): void {
  addTool(server, {
    name: 'search_captures',
    title: 'Search dictations and recordings',
    description:
      'Searches the texts and titles of everything that the user dictated or recorded. All words must occur; each is a prefix ("off" finds "office"); "quoted words" are a phrase; before:2026-11-01, on:2026-11 and after:2025 select by date. Best matches first.',
    input: { query: z.string().min(1).max(500), ...filters },
    output: found,
    run: ({ query, ...rest }, { signal }) => list(api, { q: query, ...rest }, signal),
  })

  addTool(server, {
    name: 'list_captures',
    title: 'List dictations and recordings',
    description:
      'Lists what the user dictated or recorded, newest first, with the beginning of each text. Use search_captures to find words.',
    input: filters,
    output: found,
    run: (values, { signal }) => list(api, values, signal),
  })

  addTool(server, {
    name: 'get_capture',
    title: 'Read a dictation or recording',
    description: 'Returns the text of one capture, by its id; without an id, the newest one.',
    input: {
      id: z.uuid().optional().describe('from search_captures or list_captures'),
      segments: z.boolean().default(false).describe('true adds the segments with their times in seconds'),
      ...captureText,
    },
    output: detail,
    async run({ id, segments, from_character, max_characters }, { signal }) {
      const wanted = id ?? (await newest(api, signal))
      const capture = await api.request<Detail>('GET', `/captures/${wanted}`, { signal })
      const characters = [...capture.text]
      const { transcript_raw } = capture
      return {
        ...capture,
        text: characters.slice(from_character, from_character + max_characters).join(''),
        text_characters: characters.length,
        transcript_raw:
          transcript_raw === capture.text ? null : firstCharacters(transcript_raw, max_characters),
        segments: segments ? capture.segments : undefined,
      }
    },
  })
}

async function newest(api: Api, signal: AbortSignal): Promise<string> {
  const { items } = await api.request<{ items: Listed[] }>('GET', '/captures?limit=1', { signal })
  if (items[0] === undefined)
    throw new ApiFailure('capture_not_found', 'There is no capture yet. Use listen to wait for a dictation.')
  return items[0].id
}
