// Tells a person that the language that was spoken is one the model writes badly, and which model writes it better.
// The figures are models/language-errors.ts; a model of a person's own may have been made for that language, and is let be.

import type { Warning } from '../lib/warning.ts'
import { CATALOGUE, type ModelSize } from '../models/catalogue.ts'
import { type BadlyWritten, badlyWritten } from '../models/language-errors.ts'
import { englishName } from '../text/language-names.ts'

type Heard = {
  /** catalogue name, or that of a file of one's own */
  model: string
  /** ISO 639-1; null where nothing was said */
  language: string | null
  text: string
}

/** From here on, what is right is chance. */
const HARDLY_ANY_RIGHT = 95

export function badlyWrittenWarnings({ model, language, text }: Heard): Warning[] {
  const published = CATALOGUE.find(({ name }) => name === model)
  if (published === undefined || language === null || text === '') return []
  const badly = badlyWritten(published.size, language)
  if (badly === null) return []
  const known = `Whisper ${published.family} writes ${englishName(language)} badly: ${measureOf(badly)}.`
  return [{ code: 'language_written_badly', message: `${known} ${adviceOn(badly)}` }]
}

function measureOf({ wrong, counted, hours }: BadlyWritten): string {
  if (hours !== null) return `it was trained with ${hours === 0 ? 'nothing' : aboutHours(hours)} of it`
  const tried = 'when its authors tried it'
  if (wrong !== null && wrong >= HARDLY_ANY_RIGHT) return `${tried}, hardly any of the ${counted} were right`
  return `${tried}, ${wrong === null ? 'more than 60' : Math.round(wrong)} % of the ${counted} were wrong`
}

const aboutHours = (hours: number): string =>
  hours < 1 ? 'minutes' : `${Math.round(hours)} ${Math.round(hours) === 1 ? 'hour' : 'hours'}`

function adviceOn({ better }: BadlyWritten): string {
  if (better === null) return 'No larger Whisper gets half of it right.'
  const family = familyOf(better.size)
  const wrong = `${Math.round(better.wrong)} % wrong`
  return `A larger one does better: ${family} (${wrong}), which "npm run get-model -- ${family}" or POST /models/download brings.`
}

const familyOf = (size: ModelSize): string =>
  CATALOGUE.find((model) => model.size === size && model.multilingual)!.family
