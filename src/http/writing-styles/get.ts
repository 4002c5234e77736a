import type { WritingStyles } from '../../writing/styles.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { wireStyle } from './schema.ts'
import { oneStyle, styleNotFound, styleParams } from './style.ts'

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
      responses: { 200: { description: 'The writing style', content: oneStyle } },
      problems: ['writing_style_not_found'],
    },
    (_request, { params }) => {
      const style = styles.get(params.id)
      return style === null ? problemResponse(styleNotFound(params.id)) : Response.json(wireStyle(style))
    },
  )
