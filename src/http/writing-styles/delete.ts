import type { WritingStyles } from '../../writing/styles.ts'
import { failureResponse } from '../contract/failure.ts'
import { messageContent } from '../contract/message.ts'
import { defineRoute } from '../contract/route.ts'
import { styleExample } from './schema.ts'
import { CHANGE_PROBLEMS, styleParams } from './style.ts'

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
      responses: {
        200: {
          description: 'The writing style is deleted',
          content: messageContent(`Writing style ${styleExample.id} deleted`),
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
