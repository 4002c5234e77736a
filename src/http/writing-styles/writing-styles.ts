import { PLAIN_CONTENT } from '../../writing/style.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { READ_ONLY_NOTE } from '../kernel/json-body.ts'
import { failureResponse, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, messageContent, ok } from '../kernel/route.ts'
import { listOf, pageQuery, strictObject } from '../kernel/schema.ts'
import {
  CHANGE_PROBLEMS,
  changedResponse,
  NewWritingStyleSchema,
  oneStyle,
  resolveStyle,
  type StyleRouteDeps,
  styleContent,
  styleExample,
  styleNotFound,
  styleParams,
  WritingStylePatchSchema,
  WritingStyleReplacementSchema,
  WritingStyleSchema,
  wireStyle,
} from './schema.ts'

export const listStylesRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'GET',
      path: '/writing-styles',
      operationId: 'listWritingStyles',
      summary: 'List writing styles',
      description: 'Built-in styles first, then custom styles in the order in which they were created.',
      tag: 'writing styles',
      query: strictObject(pageQuery),
      responses: ok(
        'One page of writing styles',
        jsonContent(listOf(WritingStyleSchema, { $id: 'WritingStyleList' }), {
          items: [styleExample],
          total: 1,
        }),
      ),
    },
    (_request, { query: { limit = 50, offset = 0 } }) => {
      const all = styles.list()
      return Response.json({ items: all.slice(offset, offset + limit).map(wireStyle), total: all.length })
    },
  )

export const getStyleRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'GET',
      path: '/writing-styles/{id}',
      operationId: 'getWritingStyle',
      summary: 'Get one writing style',
      description: 'Returns what the style changes, where it applies and how often it was used.',
      tag: 'writing styles',
      params: styleParams,
      responses: ok('The writing style', oneStyle),
      problems: ['writing_style_not_found'],
    },
    (_request, { params }) => {
      const style = styles.get(params.id)
      return style === null ? problemResponse(styleNotFound(params.id)) : Response.json(wireStyle(style))
    },
  )

export const createStyleRoute = (deps: StyleRouteDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/writing-styles',
      operationId: 'createWritingStyle',
      summary: 'Create a writing style',
      description: 'Only the name is required. The style is stored durably before the response is sent.',
      tag: 'writing styles',
      body: {
        kind: 'json',
        schema: NewWritingStyleSchema,
        example: { name: 'Minutes', tone: 'formal', apps: ['Zoom'], rules: { trailing_period: 'add' } },
      },
      responses: {
        201: {
          description: 'The new writing style',
          headers: { Location: 'URL of the writing style' },
          content: oneStyle,
        },
      },
      resolve: resolveStyle(deps),
      problems: ['writing_style_exists', 'disk_full', 'database_unavailable'],
    },
    async (_request, { body }) => {
      const name = body.name.trim()
      const created = await deps.styles.create({ ...styleContent(body, PLAIN_CONTENT.rules), name })
      if (!created.ok) return failureResponse(created.failure)
      const location = `/writing-styles/${created.value.id}`
      return Response.json(wireStyle(created.value), { status: 201, headers: { location } })
    },
  )

const CHANGEABLE =
  'Built-in styles can be changed too, and reset later. The default style cannot be disabled.'

export const replaceStyleRoute = (deps: StyleRouteDeps) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/writing-styles/{id}',
      operationId: 'replaceWritingStyle',
      summary: 'Replace a writing style',
      description: `Omitted fields get the values of a plain style. ${CHANGEABLE} ${READ_ONLY_NOTE}`,
      tag: 'writing styles',
      params: styleParams,
      body: {
        kind: 'json',
        schema: WritingStyleReplacementSchema,
        example: { name: 'Minutes', apps: ['Zoom', 'Teams'] },
      },
      responses: ok('The writing style after the change', oneStyle),
      resolve: resolveStyle(deps),
      problems: [...CHANGE_PROBLEMS, 'writing_style_exists', 'style_is_default'],
    },
    async (_request, { params, body }) =>
      changedResponse(
        await deps.styles.change(params.id, { ...PLAIN_CONTENT, ...styleContent(body, PLAIN_CONTENT.rules) }),
      ),
  )

export const updateStyleRoute = (deps: StyleRouteDeps) =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/writing-styles/{id}',
      operationId: 'updateWritingStyle',
      summary: 'Change a writing style',
      description: `Changes only the given fields and rules. ${CHANGEABLE} ${READ_ONLY_NOTE}`,
      tag: 'writing styles',
      params: styleParams,
      body: {
        kind: 'json',
        schema: WritingStylePatchSchema,
        example: { rules: { trailing_space: true }, priority: 10 },
      },
      responses: ok('The writing style after the change', oneStyle),
      resolve: resolveStyle(deps),
      problems: [...CHANGE_PROBLEMS, 'writing_style_exists', 'style_is_default'],
    },
    async (_request, { params, body }) => {
      const style = deps.styles.get(params.id)
      if (style === null) return problemResponse(styleNotFound(params.id))
      return changedResponse(await deps.styles.change(style.id, styleContent(body, style.rules)))
    },
  )

export const setDefaultStyleRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/writing-styles/{id}/default',
      operationId: 'setDefaultWritingStyle',
      summary: 'Make a writing style the default',
      description: 'Replaces the previous default. A disabled style becomes enabled.',
      tag: 'writing styles',
      params: styleParams,
      responses: ok('The writing style, now the default', oneStyle),
      problems: CHANGE_PROBLEMS,
    },
    async (_request, { params }) => changedResponse(await styles.setDefault(params.id)),
  )

export const deleteStyleRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/writing-styles/{id}',
      operationId: 'deleteWritingStyle',
      summary: 'Delete a writing style',
      description:
        'Texts that were written with the style stay unchanged. Built-in styles and the default style cannot be deleted.',
      tag: 'writing styles',
      params: styleParams,
      responses: ok(
        'The writing style is deleted',
        messageContent(`Writing style ${styleExample.id} deleted`),
      ),
      problems: [...CHANGE_PROBLEMS, 'style_is_built_in', 'style_is_default'],
    },
    async (_request, { params }) => {
      const removed = await styles.remove(params.id)
      if (!removed.ok) return failureResponse(removed.failure)
      return Response.json({ message: `Writing style ${removed.value.id} deleted` })
    },
  )

export const resetStyleRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'POST',
      path: '/writing-styles/{id}/reset',
      operationId: 'resetWritingStyle',
      summary: 'Reset a built-in writing style',
      description:
        'Restores the style as it was installed. Whether it is the default, and its usage count, stay unchanged.',
      tag: 'writing styles',
      params: styleParams,
      responses: ok('The restored writing style', oneStyle),
      problems: [...CHANGE_PROBLEMS, 'style_is_custom', 'writing_style_exists'],
    },
    async (_request, { params }) => changedResponse(await styles.reset(params.id)),
  )
