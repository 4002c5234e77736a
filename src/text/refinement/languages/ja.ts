import { type LanguageData, list } from './language.ts'

/** Particles and endings after the name of a mark that make it an ordinary noun. */
const PARTICLES = list(`
  を | が | は | の | も | に | で | と | し | す | さ | コード | 文字 | 記号 | や | だ | キー | か |
  まで | から | って
`)

const WEEKDAYS = ['月', '火', '水', '木', '金', '土', '日'].flatMap((day) => [`${day}曜日`, `${day}曜`])
const DIGITS = [...'一二三四五六七八九十']
const MONTHS = [...DIGITS, '十一', '十二']

export const japanese: LanguageData = {
  code: 'ja',
  spaced: false,
  hesitation: /^(?:u+h+m*|u+m+|e+h+t+o+)$/u,
  hesitationPhrases: list(`
    えーと | えーっと | えっと | えっとー | えーとー | えーとですね | えっとですね | ええと | ええっと |
    えーっとー | あのー | あのーー | あのう、 | そのー | うーん | うーんと | んー | んーと | えー、 |
    えーー | あー、 | うー、 | あのですね、 | ええとー | えーっとですね | ええとですね | あのーですね |
    んーっと | うーんっと | えーーと
  `),
  spared: ['ねえー', 'へえー', 'ええー', 'まあー', 'うーん。', 'うーん？', 'いえー', 'めー', 'てえー'],
  discourse: {
    initial: list(`
      あの | その | まあ | なんか | ま | なんていうか | 何ていうか | なんというか | なんて言うか |
      なんと言うか | 何というか | まぁ | あのね | ほら | こう | えー | あのう | まー | あのですね
    `),
    between: list(`
      あの | その | まあ | なんか | なんていうか | 何ていうか | なんというか | 何というか | まぁ | こう |
      えー | あのう | まー | なんて言うか | なんと言うか | ほら
    `),
    final: [],
  },
  openers: [],
  commaBefore: [],
  conjunctions: [],
  subjects: [],
  verbs: [],
  stutters: list(`
    は | が | を | に | で | の | と | も | から | まで | へ | それで | それは | これは | だから | でも |
    この | その | あの | 私は | 僕は | 私が | 僕が | 私の | 今日は | 明日は | これが | それが | 私たちは |
    ですから | なので | しかし | そして | つまり | じゃあ
  `),
  isNumber: (word) => /^(?:[〇零一二三四五六七八九十百千万億兆]|\d+)$/u.test(word),
  corrections: {
    retractions: list(`
      今のなし | 今のは取り消し | 取り消し | 今のは取り消して | 今の取り消し | 今のはなし | 今のは忘れて
    `),
    strong: list(`
      いや違う | いや違います | 違う | 違います | いやいや | 間違えました | 間違えた | 訂正します |
      訂正 | 失礼しました | すみません間違えました | いえ違います | いや間違えた | あ違う | あ違います |
      いや、違う | あっ違う | あ間違えた | ごめんなさい間違えました | いや待って | 失礼
    `),
    weak: list(`
      いや | いえ | すみません | 失礼 | というか | っていうか | ごめん | ごめんなさい | もとい |
      じゃなくて | じゃなかった | ではなくて
    `),
    kinds: [
      [
        ...WEEKDAYS,

        '今日',
        '明日',
        '昨日',
        '明後日',
        '一昨日',
        'あさって',
        'あした',
        'おととい',
        '今週',
        '来週',
        '先週',
      ],
      [...MONTHS.map((month) => `${month}月`), '今月', '来月', '先月'],
      MONTHS.flatMap((hour) => [`${hour}時`, `${hour}時半`]),
      ['午前', '午後', '朝', '昼', '夜', '夕方'],
      ['右', '左'],
      ['赤', '青', '白', '黒', '緑', '黄色'],
    ],
    articles: [],
    titles: list(`
      さん | 様 | さま | くん | 君 | ちゃん | 先生 | 先輩 | 部長 | 課長 | 係長 | 社長 | 店長
    `),
  },
  determiners: ['この', 'その', 'あの', 'という', '一つの', '全角の', '半角の'],
  spokenMarks: [
    { say: ['句点', 'くてん'], write: '。', alone: true, notBefore: PARTICLES },
    {
      say: ['読点', 'とうてん', 'コンマ', 'カンマ'],
      write: '、',
      alone: true,
      notBefore: [...PARTICLES, '区切'],
    },
    {
      say: ['疑問符', 'はてなマーク', 'クエスチョンマーク', 'ハテナマーク'],
      write: '？',
      alone: true,
      notBefore: PARTICLES,
    },
    {
      say: ['感嘆符', 'びっくりマーク', 'ビックリマーク', 'エクスクラメーションマーク'],
      write: '！',
      alone: true,
      notBefore: PARTICLES,
    },
    { say: ['コロン'], write: '：', notBefore: [...PARTICLES, 'ビア', 'ボ'], notAfter: ['セミ'] },
    { say: ['セミコロン'], write: '；', notBefore: PARTICLES },
    { say: ['三点リーダー', '三点リーダ', 'てんてんてん'], write: '…', alone: true, notBefore: PARTICLES },
    { say: ['改行', '新しい行', '次の行'], write: '\n', notAfter: ['で', 'に', 'を'], notBefore: PARTICLES },
    {
      say: ['新しい段落', '改段落', '次の段落', '新段落', '段落を変えて', '段落変え'],
      write: '\n\n',
      notBefore: PARTICLES,
    },
    {
      say: list(`
        かっこ開き | かっこ開く | 括弧開き | 括弧開く | カッコ開き | カッコ開く | かっこひらく |
        丸かっこ開き | 丸括弧開き | かっこ開いて
      `),
      write: '（',
      closedBy: {
        say: list(`
          かっこ閉じ | かっこ閉じる | 括弧閉じ | 括弧閉じる | カッコ閉じ | カッコ閉じる | かっことじる |
          丸かっこ閉じ | 丸括弧閉じ | かっこ閉じて | かっことじ
        `),
        write: '）',
      },
    },
    {
      say: list(`
        かぎかっこ開き | かぎかっこ開く | 鍵括弧開き | 鍵括弧開く | カギカッコ開き | カギカッコ開く |
        かぎ括弧開き | かぎ括弧開く | かぎかっこ開いて
      `),
      write: '「',
      closedBy: {
        say: list(`
          かぎかっこ閉じ | かぎかっこ閉じる | 鍵括弧閉じ | 鍵括弧閉じる | カギカッコ閉じ |
          カギカッコ閉じる | かぎ括弧閉じ | かぎ括弧閉じる | かぎかっこ閉じて | かぎかっことじ
        `),
        write: '」',
      },
    },
  ],
  symbols: {
    dot: ['ドット'],
    at: ['アットマーク'],
    underscore: ['アンダーバー', 'アンダースコア'],
    slash: ['スラッシュ'],
    colon: ['コロン'],
    dash: ['ハイフン'],
  },
  abbreviations: [],
  salutations: [],
}
