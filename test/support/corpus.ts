// Generated dictation texts, deterministic and in any number: several languages, 20 to 80 words each, with the word
// frequencies of real speech. The texts have no meaning; they are for measuring and comparing.

import { createRandom } from './random.ts'

export type CorpusText = { text: string; language: string }

type Tongue = {
  language: string
  /** percent of all texts */
  share: number
  /** the most frequent words, in descending order */
  common: string
  syllables: string
  vocabulary: number
  /** length of the generated words, in syllables */
  length: [least: number, most: number]
  between: string
}

const TONGUES: Tongue[] = [
  {
    language: 'en',
    share: 46,
    common:
      'the to and of a in is that for it we on you with this be are have as at not can from will office an or they by was if meeting one all report please would there what about so time when your our no up which out more project do my new could some then team them other see now call has been send who into only also monday over after work next quarterly budget review because these two should need week than like how back make know get email just way first good think very message any people look',
    syllables:
      'con ter in re de ment tion al ly er ing com pro ex per ca li mo ta ver si ble ta na tor ic ous port man ex tra dis en an ti ber ful ness ish graph log work side light',
    vocabulary: 30_000,
    length: [2, 4],
    between: ' ',
  },
  {
    language: 'de',
    share: 16,
    common:
      'die der und in zu den das nicht von sie ist des sich mit dem dass er es ein ich auf so eine auch als an nach wie im für man aber aus durch wenn nur war noch werden bei hat wir was wird sein einen welche sind oder zur um haben einer mir über ihm diese einem ihr uns da zum kann doch vor dieser mich ihn du hatte seine mehr am denn nun unter sehr selbst schon hier bis habe ihre dann ihnen seiner alle wieder meine zeit büro straße großer bericht besprechung',
    syllables:
      'ver ge be ung keit lich schaft heit er ein aus auf an ab zu haus arbeit werk stell trag mög grün schön weiß land recht stadt zeit buch führ samm',
    vocabulary: 30_000,
    length: [2, 4],
    between: ' ',
  },
  {
    language: 'fr',
    share: 8,
    common:
      "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec mais comme nous ou si leur y dont elle deux ces tout cette bien aussi été très réunion bureau projet c'est d'accord l'équipe",
    syllables:
      'ment tion re dé con pré er é ée ant eur ique able ville port cha mon ter li pa ré su vi lo ga fran',
    vocabulary: 20_000,
    length: [2, 4],
    between: ' ',
  },
  {
    language: 'tr',
    share: 5,
    common:
      'bir ve bu da de için ile çok ne daha gibi kadar var ben sen o biz ama sonra olarak en iyi yeni şey zaman ışık İstanbul toplantı ofis rapor yarın',
    syllables:
      'lar ler dan den da de mek mak lık lik cı ci sız siz yor du dı ka ra şe gü öl ın ım bil ev yol',
    vocabulary: 20_000,
    length: [2, 4],
    between: ' ',
  },
  {
    language: 'ru',
    share: 7,
    common:
      'и в не на я что он с как это по но они мы все за у так от для вы же к из до бы если уже или быть время когда отчёт встреча офис проект ещё',
    syllables: 'про пере раз ния ность ать ить ого ная вод ход дел лов мир гра ста ко ре ли на то ми',
    vocabulary: 20_000,
    length: [2, 4],
    between: ' ',
  },
  {
    language: 'zh',
    share: 8,
    common:
      '的 是 我们 在 了 和 有 这个 不 也 就 会议 项目 今天 明天 可以 需要 报告 计划 讨论 北京 上海 公司 工作 时间 问题 他们 已经 现在 如果 因为 所以 但是 完成 开始 办公室',
    syllables:
      '一 二 三 人 大 小 中 国 学 生 天 地 年 月 日 水 火 木 金 土 山 川 心 手 口 目 耳 车 马 鱼 鸟 花 草 书 画 电 话 高 长 新 旧 好 多 少 前 后 左 右 东 西 南 北 开 关 进 出 上 下 来 去 听 说 读 写 看 想 知 道 市 场 产 品 技 术 经 济 发 展 教 育 文 化 社 会 信 息 网 络 系 统 管 理 数 据',
    vocabulary: 8000,
    length: [1, 2],
    between: '',
  },
  {
    language: 'ja',
    share: 6,
    common:
      'の に は を が と で た し て も です ます から まで この その 会議 報告 明日 今日 仕事 時間 東京 オフィス プロジェクト お願いします ありがとう',
    syllables:
      'か き く け こ さ し す せ そ た ち つ て と な に ぬ ね の は ひ ふ へ ほ ま み む め も や ゆ よ ら り る れ ろ わ 人 日 本 大 学 生 会 社 国 語 時 間 年 月 電 話 車 駅 町 村 ア イ ウ エ オ カ キ ク サ シ ス タ ト ナ ン ラ リ ル',
    vocabulary: 8000,
    length: [1, 3],
    between: '',
  },
  {
    language: 'th',
    share: 4,
    common:
      'ที่ และ การ เป็น ใน ของ มี ได้ ไม่ ว่า จะ ให้ กับ วันนี้ อากาศ ดีมาก ประชุม รายงาน พรุ่งนี้ สำนักงาน โครงการ ขอบคุณ สวัสดี ครับ',
    syllables:
      'กา มา นา ดี รู้ เรา เขา ไป ทำ คน บ้าน เมือง น้ำ ใจ ต้อง แล้ว กลับ ถึง เห็น พูด อ่าน เขียน เล่น งาน เงิน รถ ทาง',
    vocabulary: 6000,
    length: [1, 3],
    between: '',
  },
]

/** The Zipf exponent of word frequencies: near 1 in every language that was counted. */
const ZIPF_EXPONENT = 1.05
const MIN_WORDS = 20
const MAX_WORDS = 80

/** An endless sequence of texts; the same for the same seed. */
export function* corpus(seed: number): Generator<CorpusText, never> {
  const signed = createRandom(seed)
  for (let warming = 0; warming < 20; warming++) signed()
  const random = () => (signed() + 1) / 2
  const speakers = TONGUES.map((tongue) => ({ tongue, say: speaker(tongue, random) }))
  for (;;) {
    let left = random() * 100
    const { tongue, say } =
      speakers.find(({ tongue: { share } }) => {
        left -= share
        return left <= 0
      }) ?? speakers[0]!
    const words = MIN_WORDS + Math.floor(random() * (MAX_WORDS - MIN_WORDS + 1))
    yield { text: say(words), language: tongue.language }
  }
}

function speaker(tongue: Tongue, random: () => number): (words: number) => string {
  const vocabulary = vocabularyOf(tongue, random)
  const upTo: number[] = []
  let sum = 0
  for (let rank = 1; rank <= vocabulary.length; rank++) {
    sum += rank ** -ZIPF_EXPONENT
    upTo.push(sum)
  }
  const word = () => vocabulary[lowest(upTo, random() * sum)]!
  return (words) => {
    const sentences: string[] = []
    for (let left = words; left > 0; ) {
      const length = Math.min(left, 5 + Math.floor(random() * 12))
      const said = Array.from({ length }, word).join(tongue.between)
      sentences.push(said.charAt(0).toLocaleUpperCase() + said.slice(1))
      left -= length
    }
    return tongue.between === '' ? `${sentences.join('。')}。` : `${sentences.join('. ')}.`
  }
}

function vocabularyOf({ common, syllables, vocabulary, length }: Tongue, random: () => number): string[] {
  const words = new Set(common.split(' '))
  const parts = syllables.split(' ')
  const [least, most] = length
  for (let tries = 0; words.size < vocabulary && tries < 3 * vocabulary; tries++) {
    const count = least + Math.floor(random() * (most - least + 1))
    words.add(Array.from({ length: count }, () => parts[Math.floor(random() * parts.length)]!).join(''))
  }
  return [...words]
}

/** The first index whose value is not below `value`. */
function lowest(ascending: number[], value: number): number {
  let [from, to] = [0, ascending.length - 1]
  while (from < to) {
    const middle = (from + to) >> 1
    if (ascending[middle]! < value) from = middle + 1
    else to = middle
  }
  return from
}
