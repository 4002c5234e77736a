// Warns if the model is inaccurate in the spoken language and names a better one (figures: models/language-errors.ts).
// A custom model gets no warning: it may have been trained for that language.

import type { Warning } from '../lib/warning.ts'
import { CATALOGUE, type ModelSize } from '../models/catalogue.ts'
import { type Inaccuracy, inaccuracyOf } from '../models/language-errors.ts'
import { englishName } from '../text/language-names.ts'

type Transcribed = {
  /** catalogue name, or the name of the user's own file */
  model: string
  /** ISO 639-1; null if there was no speech */
  language: string | null
  text: string
}

/** Word error rate in percent; at this rate correct words are chance. */
const HARDLY_ANY_RIGHT_FROM = 95

export function accuracyWarnings({ model, language, text }: Transcribed): Warning[] {
  const published = CATALOGUE.find(({ name }) => name === model)
  if (published === undefined || language === null || text === '') return []
  const inaccuracy = inaccuracyOf(published.size, language)
  if (inaccuracy === null) return []
  const known = `Whisper ${published.family} is inaccurate in ${englishName(language)}: ${measureOf(inaccuracy)}.`
  return [{ code: 'language_written_badly', message: `${known} ${adviceOn(inaccuracy)}` }]
}

function measureOf({ wrong, counted, hours }: Inaccuracy): string {
  if (hours !== null) return `it was trained on ${hours === 0 ? 'none' : aboutHours(hours)} of it`
  const tried = "in its authors' tests"
  if (wrong !== null && wrong >= HARDLY_ANY_RIGHT_FROM) return `${tried}, hardly any ${counted} were right`
  return `${tried}, ${wrong === null ? 'more than 60' : Math.round(wrong)} % of the ${counted} were wrong`
}

const aboutHours = (hours: number): string =>
  hours < 1 ? 'minutes' : `${Math.round(hours)} ${Math.round(hours) === 1 ? 'hour' : 'hours'}`

function adviceOn({ better }: Inaccuracy): string {
  if (better === null) return 'No larger Whisper model gets half of it right.'
  const family = familyOf(better.size)
  const wrong = `${Math.round(better.wrong)} % wrong`
  return `A larger model does better: ${family} (${wrong}). Install it with "npm run get-model -- ${family}" or POST /models/download.`
}

const familyOf = (size: ModelSize): string =>
  CATALOGUE.find((model) => model.size === size && model.multilingual)!.family
