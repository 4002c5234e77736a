// Detects phrases in which a model speaks for itself: introductions, refusals, offers, remarks.
// They count only if the speaker did not say them.

/** Unrequested introductions; each ends in a colon and is removed. */
const INTRODUCTION = new RegExp(
  `^\\s*(?:${[
    "(?:sure|certainly|of course|okay|absolutely)[!,.]?\\s*(?:here(?:['’]s| is| are)[^:\\n]{0,80})?",
    "here(?:['’]s| is| are)[^:\\n]{0,80}",
    '(?:the )?(?:cleaned|corrected|edited|refined|revised|rewritten|formatted|filtered)[^:\\n]{0,60}',
    '(?:output|result|transcript|text|answer|rewrite)',
    '(?:natürlich|gerne|klar)?[!,.]?\\s*hier (?:ist|sind)[^:\\n]{0,80}',
    '(?:bien sûr)?[!,.]?\\s*voici[^:\\n]{0,80}',
    '(?:claro|por supuesto)?[!,.]?\\s*aquí (?:está|tienes)[^:\\n]{0,80}',
    '(?:certo)?[!,.]?\\s*ecco[^:\\n]{0,80}',
    '(?:claro)?[!,.]?\\s*aqui está[^:\\n]{0,80}',
    '(?:natuurlijk)?[!,.]?\\s*hier (?:is|zijn)[^:\\n]{0,80}',
    '(?:конечно)?[!,.]?\\s*вот[^:\\n]{0,80}',
    '(?:当然|好的)?[！，,。]?\\s*(?:以下是|这是|修改后)[^：:\\n]{0,40}',
    '(?:はい)?[、。]?\\s*(?:以下は|こちらが|修正後)[^：:\\n]{0,40}',
  ].join('|')})[:：]\\s*`,
  'iu',
)

/** Lowercase, with plain apostrophes. */
const PHRASES = [
  // about itself
  ...[
    'as an ai',
    'as a language model',
    'language model',
    "i'm an ai",
    'i am an ai',
    'als ki',
    'als sprachmodell',
  ],
  ...['ki-assistent', "en tant qu'ia", 'modèle de langage', 'como ia', 'modelo de lenguaje', 'come ia'],
  ...[
    'modello linguistico',
    'modelo de linguagem',
    'als ai',
    'taalmodel',
    'языковая модель',
    '作为ai',
    '作为一个ai',
  ],
  ...['语言模型', 'aiとして', '言語モデル', '언어 모델'],
  // refusals
  ...[
    "i'm sorry, but",
    'i am sorry, but',
    'i apologize, but',
    "i can't assist",
    "i can't help",
    'i cannot assist',
  ],
  ...[
    'i cannot fulfill',
    "i'm unable to",
    'i am unable to',
    'es tut mir leid, aber',
    'ich kann ihnen dabei nicht',
  ],
  ...['je suis désolé, mais', 'je ne peux pas vous aider', 'lo siento, pero', 'no puedo ayudar'],
  ...['mi dispiace, ma', 'non posso aiutar', 'desculpe, mas', 'não posso ajudar', 'het spijt me, maar'],
  ...[
    'я не могу помочь',
    'извините, но',
    '很抱歉',
    '对不起，我',
    '申し訳ありませんが',
    '申し訳ございませんが',
  ],
  // offers and questions
  ...[
    'let me know if',
    'feel free to',
    'how can i help',
    'how can i assist',
    'how may i',
    'is there anything else',
  ],
  ...['i hope this helps', 'hope this helps', 'happy to help', "i'd be happy to", 'please provide'],
  ...['could you please provide', 'wie kann ich ihnen helfen', 'wie kann ich helfen', 'gerne helfe ich'],
  ...[
    'lassen sie mich wissen',
    'comment puis-je vous aider',
    "n'hésitez pas",
    '¿en qué puedo',
    'en qué puedo ayudar',
  ],
  ...[
    'come posso aiutar',
    'como posso ajudar',
    'hoe kan ik u helpen',
    'чем я могу помочь',
    '我能帮',
    '有什么可以帮',
  ],
  ...['お手伝いできることは', '무엇을 도와'],
  // about the task
  ...[
    'the cleaned text',
    'the corrected text',
    'corrected version',
    'cleaned-up version',
    'the transcript',
    'i removed',
  ],
  ...[
    'i have corrected',
    "i've corrected",
    "i've cleaned",
    'note:',
    'der korrigierte text',
    'bereinigte text',
  ],
  ...[
    'le texte corrigé',
    'el texto corregido',
    'il testo corretto',
    'o texto corrigido',
    'de gecorrigeerde tekst',
  ],
  ...[
    '修正したテキスト',
    '修改后的文本',
    '[your name]',
    '[name]',
    '[ihr name]',
    '[votre nom]',
    '[tu nombre]',
  ],
]

const plain = (text: string): string => text.toLowerCase().replace(/[’ʼ]/g, "'").replace(/\s+/g, ' ')

/** Whether the output contains the model's own phrases. */
export function isTalkative(input: string, output: string): boolean {
  const [said, written] = [plain(input), plain(output)]
  return PHRASES.some((phrase) => written.includes(phrase) && !said.includes(phrase))
}

const FENCED = /^\s*```[^\n`]*\n([\s\S]*?)\n?```\s*$/
const TAGGED = /^\s*<(transcript|text|output|result|answer|rewrite|cleaned)>([\s\S]*?)<\/\1>\s*$/i
const QUOTED = /^\s*(?:"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|「([^」]*)」)\s*$/

/** Removes the wrapping that models add, unless the input has it too. */
export function unwrapped(input: string, output: string): string {
  let text = output.trim()
  if (!INTRODUCTION.test(input)) text = text.replace(INTRODUCTION, '')
  for (const [wrapping, group] of [
    [FENCED, 1],
    [TAGGED, 2],
  ] as const)
    if (!wrapping.test(input)) text = wrapping.exec(text)?.[group] ?? text
  if (!/^\s*["“„«「]/u.test(input))
    text =
      QUOTED.exec(text)
        ?.slice(1)
        .find((one) => one !== undefined) ?? text
  return text.trim()
}
