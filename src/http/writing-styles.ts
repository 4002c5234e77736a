// GET and POST /writing-styles; GET, PUT, PATCH and DELETE /writing-styles/{id}.
// Choosing, trying and resetting one is writing-styles-work.ts.

import { Type } from '@sinclair/typebox'
import { PLAIN_CONTENT } from '../writing/style.ts'
import type { WritingStyles } from '../writing/styles.ts'
import { failureResponse } from './failure.ts'
import type { FindsModels } from './model-fields.ts'
import { problemResponse } from './problem.ts'
import { READ_ONLY_NOTE } from './read-only.ts'
import { type Contract, defineRoute, type Route } from './route.ts'
import { listOf, pageQuery, strictObject } from './schema.ts'
import {
  CHANGE_PROBLEMS,
  changedResponse,
  oneStyle,
  styleNotFound,
  styleParams,
} from './writing-styles-answers.ts'
import {
  contentOf,
  NewWritingStyleSchema,
  type StyleBody,
  styleExample,
  WritingStylePatchSchema,
  WritingStyleReplacementSchema,
  WritingStyleSchema,
  wireStyle,
  wrongInStyle,
} from './writing-styles-schema.ts'

type Deps = { styles: WritingStyles; models: FindsModels }

export const writingStyleRoutes = (deps: Deps): Route[] => [
  listRoute(deps),
  createRoute(deps),
  getRoute(deps),
  putRoute(deps),
  patchRoute(deps),
  deleteRoute(deps),
]

const lookUp =
  (deps: Deps): NonNullable<Contract['lookUp']> =>
  ({ path, body }) =>
    wrongInStyle(deps, body as StyleBody, typeof path.id === 'string' ? deps.styles.get(path.id) : null)

const listRoute = ({ styles }: Deps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/writing-styles',
      operationId: 'listWritingStyles',
      summary: 'List writing styles',
      description: 'The built-in ones first, then in the order they were made.',
      tag: 'writing styles',
      query: strictObject(pageQuery),
      responses: {
        200: {
          description: 'One page of writing styles',
          content: {
            'application/json': {
              schema: listOf(WritingStyleSchema, { $id: 'WritingStyleList' }),
              example: { items: [styleExample], total: 1 },
            },
          },
        },
      },
    },
    (_request, { query: { limit = 50, offset = 0 } }) => {
      const all = styles.list()
      return Response.json({ items: all.slice(offset, offset + limit).map(wireStyle), total: all.length })
    },
  )

const createRoute = (deps: Deps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/writing-styles',
      operationId: 'createWritingStyle',
      summary: 'Make a writing style',
      description: 'Only a name is needed. It is durable when the answer comes.',
      tag: 'writing styles',
      body: {
        kind: 'json',
        schema: NewWritingStyleSchema,
        example: { name: 'Minutes', tone: 'formal', apps: ['Zoom'], rules: { trailing_period: 'add' } },
      },
      responses: {
        201: {
          description: 'The new writing style',
          headers: { Location: 'of the writing style' },
          content: oneStyle,
        },
      },
      lookUp: lookUp(deps),
      problems: ['writing_style_exists', 'disk_full', 'database_unavailable'],
    },
    async (_request, { body }) => {
      const name = body.name.trim()
      const created = await deps.styles.create({ ...contentOf(body, PLAIN_CONTENT.rules), name })
      if (!created.ok) return failureResponse(created.failure)
      const location = `/writing-styles/${created.value.id}`
      return Response.json(wireStyle(created.value), { status: 201, headers: { location } })
    },
  )

const getRoute = ({ styles }: Deps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/writing-styles/{id}',
      operationId: 'getWritingStyle',
      summary: 'Get one writing style',
      description: 'What it changes, where it applies and how often it was used.',
      tag: 'writing styles',
      params: styleParams,
      responses: { 200: { description: 'The writing style', content: oneStyle } },
      problems: ['writing_style_not_found'],
    },
    (_request, { params }) => {
      const style = styles.get(params.id)
      return style === null ? problemResponse(styleNotFound(params.id)) : Response.json(wireStyle(style))
    },
  )

const CHANGEABLE = 'Built-in styles can be changed, too, and reset later. The default cannot be disabled.'

const putRoute = (deps: Deps) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/writing-styles/{id}',
      operationId: 'replaceWritingStyle',
      summary: 'Replace a writing style',
      description: `What is left out becomes as in a plain style. ${CHANGEABLE} ${READ_ONLY_NOTE}`,
      tag: 'writing styles',
      params: styleParams,
      body: {
        kind: 'json',
        schema: WritingStyleReplacementSchema,
        example: { name: 'Minutes', apps: ['Zoom', 'Teams'] },
      },
      responses: { 200: { description: 'The writing style after the change', content: oneStyle } },
      lookUp: lookUp(deps),
      problems: [...CHANGE_PROBLEMS, 'writing_style_exists', 'style_is_default'],
    },
    async (_request, { params, body }) =>
      changedResponse(
        await deps.styles.change(params.id, { ...PLAIN_CONTENT, ...contentOf(body, PLAIN_CONTENT.rules) }),
      ),
  )

const patchRoute = (deps: Deps) =>
  defineRoute(
    {
      method: 'PATCH',
      path: '/writing-styles/{id}',
      operationId: 'updateWritingStyle',
      summary: 'Change a writing style',
      description: `Only what is given changes, of the rules too. ${CHANGEABLE} ${READ_ONLY_NOTE}`,
      tag: 'writing styles',
      params: styleParams,
      body: {
        kind: 'json',
        schema: WritingStylePatchSchema,
        example: { rules: { trailing_space: true }, priority: 10 },
      },
      responses: { 200: { description: 'The writing style after the change', content: oneStyle } },
      lookUp: lookUp(deps),
      problems: [...CHANGE_PROBLEMS, 'writing_style_exists', 'style_is_default'],
    },
    async (_request, { params, body }) => {
      const style = deps.styles.get(params.id)
      if (style === null) return problemResponse(styleNotFound(params.id))
      return changedResponse(await deps.styles.change(style.id, contentOf(body, style.rules)))
    },
  )

const deleteRoute = ({ styles }: Deps) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/writing-styles/{id}',
      operationId: 'deleteWritingStyle',
      summary: 'Delete a writing style',
      description: 'Texts that were written in it stay as they are. Built-in styles and the default stay.',
      tag: 'writing styles',
      params: styleParams,
      responses: {
        200: {
          description: 'It is deleted',
          content: {
            'application/json': {
              schema: strictObject({ message: Type.String() }, { $id: 'Message' }),
              example: { message: `Writing style ${styleExample.id} deleted` },
            },
          },
        },
      },
      problems: [...CHANGE_PROBLEMS, 'style_is_built_in', 'style_is_default'],
    },
    async (_request, { params }) => {
      const removed = await styles.remove(params.id)
      if (!removed.ok) return failureResponse(removed.failure)
      return Response.json({ message: `Writing style ${removed.value.id} deleted` })
    },
  )
