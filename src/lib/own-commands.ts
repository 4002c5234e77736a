// The commands that messages name, as the user of this installation types them.

import { IN_EXECUTABLE } from './own-files.ts'

export const START_COMMAND = IN_EXECUTABLE ? 'dictation server start' : 'npm start'

/** @param name of a model; null for the usage */
export function getModelCommand(name: string | null): string {
  if (IN_EXECUTABLE) return `dictation models pull${name === null ? '' : ` ${name}`}`
  return `npm run get-model${name === null ? '' : ` -- ${name}`}`
}
