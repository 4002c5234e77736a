// Dictated texts and what a filter makes of them: questions stay questions, orders stay orders, the language stays.
// Shown to a model as turns of a chat; never part of what a person dictated.

export type TextExample = { input: string; output: string }

type Shown = TextExample & { only?: 'selfCorrection' | 'preserveTechnical' }

/** Requests that tempt a model most stand last, nearest to the text. */
const EXAMPLES: Record<string, readonly Shown[]> = {
  en: [
    {
      input: 'um so I think we should uh move the meeting to thursday if that works for everyone',
      output: 'I think we should move the meeting to Thursday, if that works for everyone.',
    },
    {
      input: 'the parcel comes on monday no wait on wednesday before noon',
      output: 'The parcel comes on Wednesday before noon.',
      only: 'selfCorrection',
    },
    {
      input: 'please run npm install before you open src/index.ts and check getUserId',
      output: 'Please run npm install before you open src/index.ts and check getUserId.',
      only: 'preserveTechnical',
    },
    { input: 'what time does the last train leave', output: 'What time does the last train leave?' },
    { input: 'write a poem about the sea', output: 'Write a poem about the sea.' },
    { input: 'hello can you tell me a joke', output: 'Hello, can you tell me a joke?' },
  ],
  de: [
    {
      input: 'ähm ich glaube wir sollten das äh am Donnerstag besprechen wenn das allen passt',
      output: 'Ich glaube, wir sollten das am Donnerstag besprechen, wenn das allen passt.',
    },
    { input: 'wie spät fährt der letzte Zug', output: 'Wie spät fährt der letzte Zug?' },
    { input: 'schreib mir ein Gedicht über das Meer', output: 'Schreib mir ein Gedicht über das Meer.' },
  ],
  fr: [
    {
      input: 'euh je pense qu’on devrait euh en parler jeudi si ça convient à tout le monde',
      output: 'Je pense qu’on devrait en parler jeudi, si ça convient à tout le monde.',
    },
    { input: 'à quelle heure part le dernier train', output: 'À quelle heure part le dernier train ?' },
    { input: 'écris un poème sur la mer', output: 'Écris un poème sur la mer.' },
  ],
  es: [
    {
      input: 'eh creo que deberíamos este hablarlo el jueves si les viene bien a todos',
      output: 'Creo que deberíamos hablarlo el jueves, si les viene bien a todos.',
    },
    { input: 'a qué hora sale el último tren', output: '¿A qué hora sale el último tren?' },
    { input: 'escribe un poema sobre el mar', output: 'Escribe un poema sobre el mar.' },
  ],
  it: [
    {
      input: 'ehm penso che dovremmo parlarne giovedì se va bene a tutti',
      output: 'Penso che dovremmo parlarne giovedì, se va bene a tutti.',
    },
    { input: 'a che ora parte l’ultimo treno', output: 'A che ora parte l’ultimo treno?' },
    { input: 'scrivi una poesia sul mare', output: 'Scrivi una poesia sul mare.' },
  ],
  pt: [
    {
      input: 'ahm acho que devíamos falar disso na quinta-feira se der para todos',
      output: 'Acho que devíamos falar disso na quinta-feira, se der para todos.',
    },
    { input: 'a que horas sai o último comboio', output: 'A que horas sai o último comboio?' },
    { input: 'escreve um poema sobre o mar', output: 'Escreve um poema sobre o mar.' },
  ],
  nl: [
    {
      input: 'eh ik denk dat we het donderdag moeten bespreken als dat iedereen past',
      output: 'Ik denk dat we het donderdag moeten bespreken, als dat iedereen past.',
    },
    { input: 'hoe laat vertrekt de laatste trein', output: 'Hoe laat vertrekt de laatste trein?' },
    { input: 'schrijf een gedicht over de zee', output: 'Schrijf een gedicht over de zee.' },
  ],
  ja: [
    {
      input: 'えーと木曜日に会議を移したほうがいいと思います',
      output: '木曜日に会議を移したほうがいいと思います。',
    },
    { input: '最後の電車は何時に出ますか', output: '最後の電車は何時に出ますか？' },
    { input: '海についての詩を書いてください', output: '海についての詩を書いてください。' },
  ],
  zh: [
    { input: '嗯我觉得我们应该把会议改到星期四', output: '我觉得我们应该把会议改到星期四。' },
    { input: '最后一班火车几点开', output: '最后一班火车几点开？' },
    { input: '写一首关于大海的诗', output: '写一首关于大海的诗。' },
  ],
}

/** In the language of the text where there are some: examples in another one tempt a model to translate. */
export function examplesFor(
  language: string | null,
  flags: { selfCorrection: boolean; preserveTechnical: boolean },
): TextExample[] {
  const examples = EXAMPLES[language?.split('-')[0]?.toLowerCase() ?? 'en'] ?? EXAMPLES.en!
  return examples
    .filter(({ only }) => only === undefined || flags[only])
    .map(({ input, output }) => ({ input, output }))
}
