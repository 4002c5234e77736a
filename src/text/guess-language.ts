// Guesses the language of a text from its script and its function words. For typed text: for speech, the recogniser's
// detection is better.

/** Words that are frequent in one language and rare in the others. */
const FUNCTION_WORDS: Record<string, string> = {
  en: 'the and of to in is it you that was for are with his they at be this have from not we my your what there will would been when who which do if her she he were has had but all can our their them i so please call',
  de: 'der die das und ist nicht ich wir sie mit auf für ein eine einen dem den zu von es im auch sich wie nach bei um aus noch werden wird sind war haben hat habe mein kann bitte morgen uns mir heute aber oder wenn dass',
  fr: 'le la les des et est une un qui dans pour pas sur avec ce il elle nous vous je du au aux sont été avoir mais ou donc plus très bien être fait cette son sa ses mon ma mes on demain de que j ai qu tu ils leur y en ça alors va peut aussi tout ont rendez quand chez vers euh à deux c d l n s oui merci pardon suis sais vois pense veux dire faut était voulais peu assez sûr moi ben où',
  es: 'el los las y es una un que en por con para no se su lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante estoy mañana la de que al',
  it: 'il gli e è una un che di non per con sono della del alla nel ma più anche come questo questa si lo ho hai ha abbiamo hanno mi ti ci domani perché quando molto dove dopo sua suo mio mia la in al da dei delle degli nella sulla dal ora poi allora essere bene tutto tutti prima ancora oggi grazie ogni alle dalle quello quella ecco l c d le i no sì sai vuoi dire',
  pt: 'o os as e é uma um que de não para com do da em no na por mais mas como se foi ao ele ela você nós eu meu minha isso está muito também já são dos das pelo até amanhã quando depois de a ou vou vai tem ter era ser foi então bom boa hoje fazer acho sei quero preciso pra tá né dia às cinco três dois duas reunião obrigado',
  nl: 'de het een en is van niet dat ik je we wij zijn met voor op aan er maar om ook dan naar nog bij uit wat hebben heeft heb kan mijn dit deze morgen worden wordt als door over ze hij was had',
}

/** A guess needs this many function words, this share of all words, and this ratio to the second language. */
const MIN_HITS = 2
const MIN_SHARE = 0.2
const MIN_LEAD = 1.25

const LANGUAGES_OF = new Map<string, string[]>()
for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
  for (const word of words.split(' ')) {
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language])
  }
}

/** The beginning of a text is enough for a guess. */
const MAX_SAMPLE_CHARACTERS = 2000

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /\p{Script=Han}/u

/** Returns ISO 639-1 of one of nine languages; null if the text is ambiguous. */
export function guessLanguage(text: string): string | null {
  const beginning = text.slice(0, MAX_SAMPLE_CHARACTERS)
  if (KANA.test(beginning)) return 'ja'
  if (HAN.test(beginning)) return 'zh'
  const words = beginning.toLowerCase().match(/\p{L}+/gu) ?? []
  const hits = new Map<string, number>()
  for (const word of words) {
    const languages = LANGUAGES_OF.get(word) ?? []
    // A word of two languages counts half for each.
    for (const language of languages) hits.set(language, (hits.get(language) ?? 0) + 1 / languages.length)
  }
  const [first, second] = [...hits].sort(([, one], [, other]) => other - one)
  if (first === undefined || first[1] < MIN_HITS || first[1] < MIN_SHARE * words.length) return null
  return second === undefined || first[1] >= MIN_LEAD * second[1] ? first[0] : null
}
