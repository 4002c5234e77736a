import { type LanguageData, list } from './language.ts'

/** Words after the name of a mark that make it an ordinary noun. */
const NOUN_BEFORE = list(`
  的 | 是 | 键 | 鍵 | 符 | 和 | 分隔 | 隔开 | 后面 | 前面 | 之后 | 之前 | 號 | 号 | 要 | 应该 | 應該 |
  在 | 也 | 都 | 用 | 怎么 | 就 | 或 | 还 | 不 | 没 | 與 | 与 | 吗 | 呢
`)
const NOUN_AFTER = list(`
  个 | 個 | 这 | 這 | 那 | 用 | 加 | 打 | 写 | 寫 | 的 | 是 | 有 | 没 | 到 | 按 | 输入 | 輸入 | 叫 | 和 |
  把 | 种 | 要 | 处 | 插入 | 删除 | 删掉 | 去掉 | 加上 | 打上 | 划上 | 画上 | 打个
`)

const WEEKDAYS = ['周', '星期', '礼拜', '禮拜', '週'].flatMap((week) =>
  [...'一二三四五六日天'].map((day) => week + day),
)
const DIGITS = [...'一二两三四五六七八九十', '十一', '十二']

export const chinese: LanguageData = {
  code: 'zh',
  spaced: false,
  hesitation: /^(?:u+h+m*|u+m+|e+m{2,}|e+n+h+|h+m+)$/u,
  hesitationPhrases: list(`
    呃 | 嗯 | 呃呃 | 嗯… | 呃… | 呃这个， | 额， | 嗯嗯啊， | 呃那个， | 嗯那个， | 嗯这个， | 唔， |
    额额 | 呃嗯 | 嗯呃 | 那个呃 | 这个呃 | 哦，那个，
  `),
  spared: list(`
    嗯嗯 | 呃逆 | 嗯。 | 嗯！ | 嗯？ | 嗯哼 | 啊，啊 | 是啊， | 对啊， | 好啊， | 啊啊 | 哎啊
  `),
  discourse: {
    initial: list(`
      那个 | 這個 | 这个 | 就是说 | 就是說 | 怎么说呢 | 怎麼說呢 | 你知道吗 | 你知道嗎 | 那個 | 你知道 |
      怎么讲 | 我跟你说 | 额 | 这个那个 | 那什么 | 就是那个 | 所以说呢
    `),
    between: list(`
      那个 | 這個 | 这个 | 就是说 | 就是說 | 怎么说呢 | 怎麼說呢 | 你知道吗 | 你知道嗎 | 就是 | 那個 |
      你知道 | 怎么讲 | 额 | 啊 | 那什么 | 就是那个
    `),
    final: ['你知道吗', '你知道嗎', '你知道'],
  },
  openers: [],
  commaBefore: [],
  conjunctions: [],
  subjects: [],
  verbs: [],
  stutters: list(`
    我 | 你 | 他 | 她 | 它 | 我们 | 我們 | 你们 | 你們 | 他们 | 他們 | 这个 | 這個 | 那个 | 那個 |
    就是 | 因为 | 因為 | 所以 | 但是 | 如果 | 然后 | 然後 | 或者 | 而且 | 这 | 這 | 那 | 在 | 把 | 被 |
    跟 | 和 | 对于 | 關於 | 关于 | 可是 | 不过 | 不過 | 虽然 | 雖然 | 我觉得 | 我覺得 | 我想 | 还有 |
    還有 | 的话 | 我要 | 咱们 | 应该 | 應該 | 需要 | 的 | 这些 | 那些 | 比如 | 其实 | 也就是
  `),
  isNumber: (word) => /^(?:[〇零一二三四五六七八九十百千万亿兩两幺萬億]|\d+)$/u.test(word),
  corrections: {
    retractions: list(`
      划掉 | 删掉这句 | 刪掉這句 | 这句不要 | 這句不要 | 取消这句 | 刚才那句不算 | 剛才那句不算 |
      不对重来 | 重来 | 刚才说的不算 | 上一句不要 | 刚才那句不要
    `),
    strong: list(`
      不对 | 不對 | 不对不对 | 不對不對 | 说错了 | 說錯了 | 我说错了 | 我說錯了 | 不不不 | 更正 |
      更正一下 | 我是说 | 我是說 | 不是不是 | 纠正一下 | 糾正一下 | 哦不 | 噢不 | 啊不 | 应该是 | 應該是 |
      不对，应该是 | 不对应该是 | 不对，是 | 哦不对 | 啊不对 | 噢不对 | 对不起我说错了 | 说错了应该是 |
      说错了，是 | 不对我是说 | 口误 | 不，应该是 | 不，是 | 等等不对 | 不对，说错了 | 抱歉说错了 |
      抱歉，是 | 不，我是说 | 对不起，是 | 呃不对 | 说错了，应该是 | 我的意思是 | 不对，我是说 |
      不好意思，是 | 说错了，不是
    `),
    weak: list(`
      不 | 不是 | 抱歉 | 对不起 | 對不起 | 或者说 | 或者說 | 等等 | 不好意思 | 哦 | 准确地说 | 应该说 |
      等一下
    `),
    kinds: [
      [
        ...WEEKDAYS,
        ...WEEKDAYS.flatMap((day) => [`下${day}`, `这${day}`, `上${day}`, `本${day}`]),
        '今天',
        '明天',
        '后天',
        '後天',
        '昨天',
        '前天',
        '大后天',
        '今晚',
        '明晚',
        '昨晚',
      ],
      [
        ...DIGITS.map((month) => `${month}月`),
        ...DIGITS.map((month) => `${month}月份`),
        '这个月',
        '下个月',
        '上个月',
      ],
      DIGITS.flatMap((hour) => ['点', '点半', '點', '點半'].map((unit) => hour + unit)),
      ['上午', '下午', '早上', '晚上', '中午', '凌晨'],
      ['左边', '右边', '左邊', '右邊', '左', '右'],
      list(`
        红色 | 蓝色 | 绿色 | 黄色 | 黑色 | 白色 | 紅色 | 藍色 | 綠色 | 黃色 | 灰色 | 紫色 | 橙色
      `),
      ['这周', '下周', '上周', '本周', '這週', '下週', '上週'],
      list(`
        北京 | 上海 | 广州 | 深圳 | 杭州 | 南京 | 成都 | 武汉 | 西安 | 天津 | 重庆 | 苏州 | 香港 | 台北 |
        东京
      `),
    ],
    articles: [],
  },
  determiners: NOUN_AFTER,
  spokenMarks: [
    { say: ['逗号', '逗號'], write: '，', alone: true, notBefore: NOUN_BEFORE },
    { say: ['句号', '句號'], write: '。', alone: true, notBefore: NOUN_BEFORE },
    { say: ['问号', '問號'], write: '？', alone: true, notBefore: NOUN_BEFORE },
    {
      say: ['感叹号', '感嘆號', '叹号', '驚嘆號', '惊叹号', '嘆號'],
      write: '！',
      alone: true,
      notBefore: NOUN_BEFORE,
    },
    { say: ['冒号', '冒號'], write: '：', alone: true, notBefore: NOUN_BEFORE },
    { say: ['分号', '分號'], write: '；', notBefore: NOUN_BEFORE },
    { say: ['顿号', '頓號'], write: '、', notBefore: NOUN_BEFORE },
    { say: ['省略号', '省略號', '删节号'], write: '……', alone: true, notBefore: NOUN_BEFORE },
    { say: ['破折号', '破折號'], write: '——', notBefore: NOUN_BEFORE },
    {
      say: ['换行', '換行', '另起一行', '下一行', '新的一行', '新行'],
      write: '\n',
      notAfter: ['不', '会', '會', '自动', '自動', '需要', '怎么', '不要', '在', '里'],
      notBefore: list(`
        符 | 的 | 是 | 键 | 了 | 后 | 之 | 显示 | 顯示 | 写 | 会 | 吗 | 就 | 时 | 操作 | 功能 | 有
      `),
    },
    {
      say: ['新段落', '另起一段', '下一段', '新的一段', '新的段落', '换段', '換段'],
      write: '\n\n',
      notAfter: ['在'],
      notBefore: list(`
        的 | 是 | 落 | 讲 | 講 | 写 | 我们 | 说 | 里 | 时间 | 路 | 有 | 要 | 从 | 内容 | 会
      `),
    },
    {
      say: ['左括号', '左括號', '前括号', '括号开始', '开括号'],
      write: '（',
      closedBy: {
        say: ['右括号', '右括號', '后括号', '括号结束', '反括号', '闭括号', '关括号'],
        write: '）',
      },
    },
    {
      say: ['左引号', '左引號', '前引号', '引号开始', '上引号', '双引号开始', '开引号'],
      write: '“',
      closedBy: {
        say: ['右引号', '右引號', '后引号', '引号结束', '下引号', '双引号结束', '闭引号', '关引号'],
        write: '”',
      },
    },
    {
      say: ['左书名号', '左書名號', '书名号开始', '前书名号'],
      write: '《',
      closedBy: { say: ['右书名号', '右書名號', '书名号结束', '后书名号'], write: '》' },
    },
  ],
  symbols: {
    dot: ['点', '點'],
    at: ['艾特'],
    underscore: ['下划线', '底線', '下劃線'],
    slash: ['斜杠', '斜線', '斜槓'],
    colon: ['冒号'],
    dash: ['杠', '横杠'],
  },
  abbreviations: [],
  salutations: ['尊敬的', '亲爱的', '親愛的', '您好', '你好'],
}
