import { type Static, Type } from '@sinclair/typebox'
import type { Captures } from '../../captures/captures.ts'
import { MAX_TAG_LENGTH, MAX_TAGS, tagFault } from '../../captures/tags.ts'
import { type Fault, invalidRequest, type Problem } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok } from '../kernel/route.ts'
import { listOf, pageQuery, strictObject, text, wholeNumber } from '../kernel/schema.ts'

const tagList = (description: string) =>
  Type.Optional(
    Type.Array(text({ minLength: 1, maxLength: MAX_TAG_LENGTH }), { maxItems: MAX_TAGS, description }),
  )

/** In the body of a change. `tags` is applied first, then the others. */
export const tagFields = {
  tags: tagList(
    `replaces all tags. At most ${MAX_TAGS} of up to ${MAX_TAG_LENGTH} characters, without commas; spellings that differ only in case, accents or spaces are the same tag`,
  ),
  add_tags: tagList('adds tags, and leaves the others'),
  remove_tags: tagList('removes tags; those that the capture does not have are ignored'),
}

type TagFields = { [name in keyof typeof tagFields]?: unknown }

/** What the schema cannot check of the fields that it accepts. */
export function tagFaults(body: TagFields): Problem | null {
  const faults = (['tags', 'add_tags', 'remove_tags'] as const).flatMap((name): Fault[] => {
    const tags = body[name]
    if (!Array.isArray(tags)) return []
    return tags.flatMap((tag, at) => {
      const message = typeof tag === 'string' && tag !== '' ? tagFault(tag) : null
      return message === null ? [] : [{ in: 'body', path: `/${name}/${at}`, message }]
    })
  })
  return faults.length === 0 ? null : invalidRequest(faults)
}

export const tooManyTags = (): Problem =>
  invalidRequest([
    {
      in: 'body',
      path: '/add_tags',
      message: `would give the capture more than ${MAX_TAGS} tags; remove some first`,
    },
  ])

export const UsedTagListSchema = listOf(
  strictObject({ tag: Type.String(), capture_count: wholeNumber({ minimum: 1 }) }, { $id: 'UsedTag' }),
  { $id: 'UsedTagList' },
)

export const tagsRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/tags',
      operationId: 'listTags',
      summary: 'List the tags in use',
      description: 'Most used first. Captures in the trash do not count.',
      tag: 'captures',
      query: strictObject(pageQuery),
      responses: ok(
        'One page of tags',
        jsonContent(UsedTagListSchema, {
          items: [{ tag: 'Meeting', capture_count: 12 }],
          total: 1,
        }),
      ),
    },
    async (_request, { query: { limit = 50, offset = 0 } }) => {
      const used = await captures.tags()
      const items = used.slice(offset, offset + limit).map(({ tag, captures: count }) => ({
        tag,
        capture_count: count,
      })) satisfies Static<typeof UsedTagListSchema>['items']
      return Response.json({ items, total: used.length })
    },
  )
