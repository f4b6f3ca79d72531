// What the page says, in three languages.

import {bdi} from './dom.js'
import {review} from './words-review.js'

export const words = {
	en: {
		...review.en,
		'skip': 'Skip to the content', 'model': 'Model', 'language': 'Language', 'views': 'Views', 'reference': 'API reference',
		'tab-text': 'Text', 'tab-terms': 'Classes and terms', 'tab-file': 'File',
		'documents': 'Documents', 'classes': 'Classes', 'terms': 'Terms',
		'token': 'Token', 'token-use': 'Use it',
		'token-why': 'This server wants a token. It is kept in this tab only, until you close it.',
		'token-bad': 'The server does not accept the token, or does not any more. Please give another.',
		'token-scope': 'Your token does not allow learning.',
		'token-read': 'The token does not allow to see the models. Please give one with the scope read.',
		'unreachable': 'The server cannot be reached. Trying again every two seconds…',
		'no-models': 'This server has no models yet. Upload one with PUT /v1/models/NAME.',
		'gone': 'The model {model} is gone.',
		'log-down': 'Learning is not available at the moment. Predicting goes on.',
		'text-title': 'Classify a text', 'text-label': 'Text', 'text-hint': 'Type or paste a text…',
		'clear': 'Clear', 'numbers-label': 'Further columns',
		'answer': 'Answer', 'waiting': 'The answer appears here as you type.',
		'learn-as': 'Learn as this', 'learned-as': 'Learned', 'learn-as-label': 'Learn this text as {label}',
		'show-all': 'Show all {n} classes', 'show-more': 'Show the {n} most probable', 'left-out': 'and {n} less probable classes', 'largest': 'The {most} classes with the most examples, of {n}.', 'show-few': 'Show fewer',
		'other-class': 'Another class', 'learn': 'Learn', 'make-class': 'Make this class',
		'correct-hint': 'Wrong? Say which class is right, and the model learns it at once.',
		'teach-first': 'This model has learned nothing yet. Write a text, name its class, and it has begun.',
		'teach-second': 'The model knows one class, so every text is {label}. Teach it a second one: write a text and name its class below.',
		'you-taught': 'Learned as {label}.', 'moved': 'Moved to {label}.', 'undo': 'Undo', 'undo-label': 'Undo: unlearn “{text}” as {label}', 'undone': 'Undone.',
		'corrections': 'Your corrections',
		'why': 'Why', 'for': 'speaks for {label}', 'against': 'speaks for {label}',
		'no-terms': 'The model knows no word of this text, so the answer is what it expects of any.',
		'unknown': '{n} words unknown', 'prior': 'before reading', 'absent': 'words that are not there', 'all-shares': 'Show all {n}',
		'shares': 'Share of each word in the log-odds', 'rest-cut': 'The colours end here; the text goes on.',
		'derive': 'How it was worked out', 'against-class': 'Compare {label} with',
		'step-prior': 'The prior', 'step-prior-say': 'How often each class occurred among the examples.',
		'step-factors': 'The words', 'step-factors-say': 'How probable each word is in the class: how often its examples have it, with smoothing, out of all their words.',
		'step-sum': 'The sum', 'step-sum-say': 'The logarithms of the prior and of all factors, added.',
		'step-posterior': 'Bayes’ theorem', 'step-posterior-say': 'Each score’s exponential, out of all of them.',
		'step-power': 'Calibration', 'step-power-say': 'Held-out examples showed how sure the model may be: probabilities are raised to the power {power} and made to sum to 1.',
		'prior-unused': 'not part of this model’s score', 'prior-set': 'given', 'impossible': 'Impossible in every class, so the prior decides.',
		'absent-rest': '{n} words that are not there', 'more-factors': 'and {n} more',
		'logout': 'Log out', 'tab-text-columns': 'Record',
		'text-title-columns': 'Classify a record', 'numbers-label-columns': 'Columns', 'learn-as-label-columns': 'Learn this record as {label}',
		'no-terms-columns': 'The model knows none of these values, so the answer is what it expects of any record.',
		'unknown-columns': 'Unknown values: {n}', 'unknown-value': 'The model does not know this value, so it counts for nothing.',
		'naive-bayes': 'naive Bayes', 'correction': 'learned correction',
		'step-corrected-say': 'Naive Bayes counts {trust} times; what is added to that was learned from the examples. A word is multiplied by how often it occurs, dampened, times its inverse document frequency, so that all words of a text have length one.',
		'mean-deviation': 'mean ± standard deviation', 'mean': 'Mean', 'deviation': 'Deviation',
		'step-columns': 'The columns', 'step-columns-say': 'How probable each value is in the class: of a category, how often its examples have it, with smoothing; of a number, its density.',
		'telling-columns': 'What tells most of {label}', 'search-columns': 'Search a term, column or value',
		'terms-title': 'Classes and terms', 'class': 'Class', 'examples': 'Examples', 'share': 'Share', 'telling': 'Most telling terms of {label}',
		'log-odds': 'Log-odds', 'times': 'Times', 'term': 'Term', 'in-examples': 'In examples', 'probability': 'Probability',
		'search': 'Search a term', 'find': 'Find', 'not-found': 'The model does not know “{term}”.', 'no-terms-yet': 'No terms yet: the model has learned nothing.',
		'log-odds-say': 'for the class, against all others',
		'file-title': 'Label or measure a file', 'drop': 'Drop a CSV file here, or choose one', 'drop-say': 'It comes back with the columns “label” and “probability”. If it has labels, the model is measured by them. Nothing is learned.',
		'column': 'Column of the text', 'column-of': 'Column of {name}', 'none': '(none)', 'header': 'The first line holds the names of the columns', 'encoding': 'Encoding',
		'start': 'Label it', 'cancel': 'Cancel', 'progress': 'Progress', 'rows-done': '{n} rows, {p}', 'done': 'Done: {n} rows.', 'done-failed': 'Done: {n} rows, of which {m} could not be labelled.',
		'stopped': 'Stopped after {n} rows.', 'download': 'Download {name}', 'first-rows': 'The first rows', 'empty-file': 'The file is empty.', 'foreign-workbook': 'This is a workbook (.xlsx, .ods). Save it as CSV, and choose that.', 'foreign-document': 'This is a document (.pdf, .docx, .odt), not a table. Put its texts into a CSV file.', 'foreign-office': 'This is a file of an old office program (.xls, .doc). Save it as CSV, and choose that.', 'foreign-archive': 'This is an archive (.zip). Unpack it first.', 'bad-encoding': 'The file is not {encoding}. Choose another encoding.', 'unclosed': 'A quotation mark in line {n} is never closed.',
		'label': 'Label', 'column-label': 'label', 'column-probability': 'probability',
		'empty-model': 'The model has learned nothing yet, so there is nothing to label with.',
	},
	ko: {
		...review.ko,
		'skip': '본문으로 건너뛰기', 'model': '모델', 'language': '언어', 'views': '보기', 'reference': 'API 문서',
		'tab-text': '글', 'tab-terms': '분류와 낱말', 'tab-file': '파일',
		'documents': '문서', 'classes': '분류', 'terms': '낱말',
		'token': '토큰', 'token-use': '사용',
		'token-why': '이 서버에는 토큰이 필요합니다. 토큰은 이 탭을 닫을 때까지 이 탭에만 보관됩니다.',
		'token-bad': '서버가 이 토큰을 받아들이지 않거나 토큰이 만료되었습니다. 다른 토큰을 입력하세요.',
		'token-scope': '이 토큰으로는 학습할 수 없습니다.',
		'token-read': '이 토큰으로는 모델을 볼 수 없습니다. read 권한이 있는 토큰을 입력하세요.',
		'unreachable': '서버에 연결할 수 없습니다. 2초마다 다시 시도합니다…',
		'no-models': '이 서버에는 아직 모델이 없습니다. PUT /v1/models/이름 으로 올리세요.',
		'gone': '{model} 모델이 없어졌습니다.',
		'log-down': '지금은 학습할 수 없습니다. 예측은 계속됩니다.',
		'text-title': '글 분류하기', 'text-label': '글', 'text-hint': '글을 입력하거나 붙여 넣으세요…',
		'clear': '지우기', 'numbers-label': '다른 열',
		'answer': '답', 'waiting': '입력하는 대로 여기에 답이 나타납니다.',
		'learn-as': '이것으로 학습', 'learned-as': '학습됨', 'learn-as-label': '이 글을 {label}(으)로 학습',
		'show-all': '분류 {n}개 모두 보기', 'show-more': '가장 유력한 {n}개 보기', 'left-out': '그 밖에 확률이 더 낮은 분류 {n}개', 'largest': '분류 {n}개 가운데 예문이 가장 많은 {most}개입니다.', 'show-few': '줄여 보기',
		'other-class': '다른 분류', 'learn': '학습', 'make-class': '새 분류 만들기',
		'correct-hint': '틀렸나요? 맞는 분류를 고르면 모델이 바로 배웁니다.',
		'teach-first': '이 모델은 아직 아무것도 배우지 않았습니다. 글을 쓰고 분류를 적으면 시작됩니다.',
		'teach-second': '이 모델은 분류를 하나만 알아서 모든 글이 {label}입니다. 글을 쓰고 아래에 두 번째 분류를 적어 가르치세요.',
		'you-taught': '{label}(으)로 학습했습니다.', 'moved': '{label}(으)로 옮겼습니다.', 'undo': '되돌리기', 'undo-label': '되돌리기: “{text}” → {label}', 'undone': '되돌렸습니다.',
		'corrections': '내가 고친 것',
		'why': '이유', 'for': '{label} 쪽', 'against': '{label} 쪽',
		'no-terms': '모델이 아는 낱말이 하나도 없어서, 아무 글에나 기대하는 답입니다.',
		'unknown': '모르는 낱말 {n}개', 'prior': '읽기 전', 'absent': '글에 없는 낱말', 'all-shares': '{n}개 모두 보기',
		'shares': '낱말마다 로그 오즈에서 차지하는 몫', 'rest-cut': '색은 여기까지이고, 글은 계속됩니다.',
		'derive': '계산 과정', 'against-class': '{label}의 비교 대상',
		'step-prior': '사전 확률', 'step-prior-say': '예문 가운데 각 분류가 차지하는 비율입니다.',
		'step-factors': '낱말', 'step-factors-say': '분류 안에서 낱말이 나올 확률: 예문에 나온 횟수에 평활값을 더해 전체 낱말 수로 나눈 값입니다.',
		'step-sum': '합', 'step-sum-say': '사전 확률과 모든 인수의 로그를 더합니다.',
		'step-posterior': '베이즈 정리', 'step-posterior-say': '각 점수의 지수를 모든 점수의 지수 합으로 나눕니다.',
		'step-power': '보정', 'step-power-say': '따로 둔 예문으로 모델이 얼마나 확신해도 되는지 쟀습니다. 확률을 {power}제곱하고 합이 1이 되게 합니다.',
		'prior-unused': '이 모델의 점수에는 들어가지 않음', 'prior-set': '주어진 값', 'impossible': '어느 분류에서도 나올 수 없는 글이라 사전 확률로 정합니다.',
		'absent-rest': '글에 없는 낱말 {n}개', 'more-factors': '그 밖에 {n}개',
		'logout': '로그아웃', 'tab-text-columns': '레코드',
		'text-title-columns': '레코드 분류하기', 'numbers-label-columns': '열', 'learn-as-label-columns': '이 레코드를 {label}(으)로 학습',
		'no-terms-columns': '모델이 아는 값이 하나도 없어서, 아무 레코드에나 기대하는 답입니다.',
		'unknown-columns': '모르는 값 {n}개', 'unknown-value': '모델이 모르는 값이라 계산에 들어가지 않습니다.',
		'naive-bayes': '나이브 베이즈', 'correction': '학습된 보정',
		'step-corrected-say': '나이브 베이즈의 값에는 {trust}을(를) 곱하고, 거기에 더하는 값은 예시에서 학습했습니다. 낱말에는 (완화한) 출현 횟수와 역문서 빈도의 곱을 곱하며, 한 글의 낱말 전체의 길이가 1이 되게 합니다.',
		'mean-deviation': '평균 ± 표준 편차', 'mean': '평균', 'deviation': '표준 편차',
		'step-columns': '열', 'step-columns-say': '분류 안에서 값이 나올 확률: 범주는 예문에 나온 횟수에 평활값을 더해 구하고, 수는 확률 밀도입니다.',
		'telling-columns': '{label}을(를) 가장 잘 나타내는 것', 'search-columns': '낱말, 열, 값 찾기',
		'terms-title': '분류와 낱말', 'class': '분류', 'examples': '예문', 'share': '비율', 'telling': '{label}을(를) 가장 잘 나타내는 낱말',
		'log-odds': '로그 오즈', 'times': '횟수', 'term': '낱말', 'in-examples': '예문 수', 'probability': '확률',
		'search': '낱말 찾기', 'find': '찾기', 'not-found': '모델은 “{term}”을(를) 모릅니다.', 'no-terms-yet': '아직 배운 것이 없어 낱말이 없습니다.',
		'log-odds-say': '다른 모든 분류와 견주어',
		'file-title': '파일 분류하거나 측정하기', 'drop': 'CSV 파일을 여기에 놓거나 고르세요', 'drop-say': '“label”과 “probability” 열이 붙어 돌아옵니다. 분류가 적혀 있으면 모델의 정확도를 잽니다. 학습에는 쓰지 않습니다.',
		'column': '글이 있는 열', 'column-of': '{name}의 열', 'none': '(없음)', 'header': '첫 줄은 열 이름입니다', 'encoding': '인코딩',
		'start': '분류하기', 'cancel': '그만두기', 'progress': '진행', 'rows-done': '{n}행, {p}', 'done': '끝났습니다: {n}행.', 'done-failed': '끝났습니다: {n}행 가운데 {m}행은 분류하지 못했습니다.',
		'stopped': '{n}행에서 멈추었습니다.', 'download': '{name} 내려받기', 'first-rows': '처음 몇 행', 'empty-file': '빈 파일입니다.', 'foreign-workbook': '스프레드시트 파일(.xlsx, .ods)입니다. CSV로 저장한 다음 그 파일을 고르세요.', 'foreign-document': '표가 아니라 문서(.pdf, .docx, .odt)입니다. 텍스트를 CSV 파일로 옮기세요.', 'foreign-office': '예전 오피스 파일(.xls, .doc)입니다. CSV로 저장한 다음 그 파일을 고르세요.', 'foreign-archive': '압축 파일(.zip)입니다. 먼저 압축을 푸세요.', 'bad-encoding': '{encoding} 파일이 아닙니다. 다른 인코딩을 고르세요.', 'unclosed': '{n}번째 줄의 따옴표가 닫히지 않았습니다.',
		'label': '분류',
		'empty-model': '모델이 아직 배운 것이 없어 분류할 수 없습니다.',
	},
	ja: {
		...review.ja,
		'skip': '本文へ移動', 'model': 'モデル', 'language': '言語', 'views': '表示', 'reference': 'API リファレンス',
		'tab-text': '文章', 'tab-terms': 'クラスと語', 'tab-file': 'ファイル',
		'documents': '文書', 'classes': 'クラス', 'terms': '語',
		'token': 'トークン', 'token-use': '使う',
		'token-why': 'このサーバーにはトークンが必要です。タブを閉じるまで、このタブだけに保存されます。',
		'token-bad': 'トークンが受け付けられないか、期限が切れました。別のトークンを入力してください。',
		'token-scope': 'このトークンでは学習できません。',
		'token-read': 'このトークンではモデルを表示できません。read の権限があるトークンを入力してください。',
		'unreachable': 'サーバーに接続できません。2 秒ごとに再試行しています…',
		'no-models': 'このサーバーにはまだモデルがありません。PUT /v1/models/名前 で登録してください。',
		'gone': 'モデル {model} がなくなりました。',
		'log-down': '今は学習できません。予測は続けられます。',
		'text-title': '文章を分類する', 'text-label': '文章', 'text-hint': '文章を入力するか、貼り付けてください…',
		'clear': '消去', 'numbers-label': 'その他の列',
		'answer': '答え', 'waiting': '入力に合わせて、ここに答えが出ます。',
		'learn-as': 'これを学習', 'learned-as': '学習済み', 'learn-as-label': 'この文章を {label} として学習',
		'show-all': '{n} クラスをすべて表示', 'show-more': '確率の高い {n} 件を表示', 'left-out': 'ほかに確率の低い {n} クラス', 'largest': '{n} クラスのうち、例の多い {most} クラスです。', 'show-few': '一部だけ表示',
		'other-class': '別のクラス', 'learn': '学習', 'make-class': '新しいクラスを作る',
		'correct-hint': '違っていたら正しいクラスを選んでください。すぐに学習します。',
		'teach-first': 'このモデルはまだ何も学習していません。文章を書いてクラス名を付ければ始まります。',
		'teach-second': 'クラスが一つしかないので、どの文章も {label} になります。文章を書き、下に二つ目のクラスを入力して教えてください。',
		'you-taught': '{label} として学習しました。', 'moved': '{label} に移しました。', 'undo': '元に戻す', 'undo-label': '元に戻す:「{text}」→ {label}', 'undone': '元に戻しました。',
		'corrections': 'あなたの訂正',
		'why': '理由', 'for': '{label} らしさ', 'against': '{label} らしさ',
		'no-terms': '知っている語が一つもないので、どの文章にも期待する答えです。',
		'unknown': '未知の語 {n} 個', 'prior': '読む前', 'absent': '文章にない語', 'all-shares': '{n} 件すべて表示',
		'shares': '語ごとの対数オッズへの寄与', 'rest-cut': '色分けはここまでで、文章は続きます。',
		'derive': '計算の過程', 'against-class': '{label} と比べるクラス',
		'step-prior': '事前確率', 'step-prior-say': '例文の中で各クラスが占める割合です。',
		'step-factors': '語', 'step-factors-say': 'クラスの中でその語が出る確率:例文に出た回数に平滑化の値を加え、全語数で割ります。',
		'step-sum': '和', 'step-sum-say': '事前確率とすべての因子の対数を足します。',
		'step-posterior': 'ベイズの定理', 'step-posterior-say': '各スコアの指数を、全体の和で割ります。',
		'step-power': '較正', 'step-power-say': '取り分けた例文で、どこまで確信してよいかを測りました。確率を {power} 乗し、和を 1 にします。',
		'prior-unused': 'このモデルのスコアには含まれません', 'prior-set': '指定値', 'impossible': 'どのクラスでもあり得ない文章なので、事前確率で決めます。',
		'absent-rest': '文章にない語 {n} 個', 'more-factors': 'ほか {n} 個',
		'logout': 'ログアウト', 'tab-text-columns': 'レコード',
		'text-title-columns': 'レコードを分類する', 'numbers-label-columns': '列', 'learn-as-label-columns': 'このレコードを {label} として学習',
		'no-terms-columns': '知っている値が一つもないので、どのレコードにも期待する答えです。',
		'unknown-columns': '未知の値 {n} 個', 'unknown-value': 'モデルの知らない値なので、計算に入りません。',
		'naive-bayes': 'ナイーブベイズ', 'correction': '学習した補正',
		'step-corrected-say': 'ナイーブベイズの値には {trust} を掛け、そこに加える値は例から学習しました。語には、抑えた出現回数と逆文書頻度の積を掛け、文章のすべての語の長さを 1 にします。',
		'mean-deviation': '平均 ± 標準偏差', 'mean': '平均', 'deviation': '標準偏差',
		'step-columns': '列', 'step-columns-say': 'クラスの中でその値が出る確率:カテゴリーは例に出た回数に平滑化の値を加えて求め、数値は確率密度です。',
		'telling-columns': '{label} を最もよく表すもの', 'search-columns': '語・列・値を探す',
		'terms-title': 'クラスと語', 'class': 'クラス', 'examples': '例文', 'share': '割合', 'telling': '{label} を最もよく表す語',
		'log-odds': '対数オッズ', 'times': '回数', 'term': '語', 'in-examples': '例文数', 'probability': '確率',
		'search': '語を探す', 'find': '探す', 'not-found': 'モデルは「{term}」を知りません。', 'no-terms-yet': 'まだ何も学習していないので、語がありません。',
		'log-odds-say': 'ほかの全クラスと比べて',
		'file-title': 'ファイルを分類・測定する', 'drop': 'CSV ファイルをここにドロップするか、選んでください', 'drop-say': '「label」と「probability」の列が付いて戻ります。クラスが書いてあれば正解率を測ります。学習には使われません。',
		'column': '文章の列', 'column-of': '{name} の列', 'none': '(なし)', 'header': '1 行目は列の名前', 'encoding': '文字コード',
		'start': '分類する', 'cancel': '中止', 'progress': '進行状況', 'rows-done': '{n} 行、{p}', 'done': '終わりました:{n} 行。', 'done-failed': '終わりました:{n} 行のうち {m} 行は分類できませんでした。',
		'stopped': '{n} 行で止まりました。', 'download': '{name} をダウンロード', 'first-rows': '最初の数行', 'empty-file': 'ファイルが空です。', 'foreign-workbook': '表計算ファイル (.xlsx、.ods) です。CSV で保存してから選んでください。', 'foreign-document': '表ではなく文書 (.pdf、.docx、.odt) です。テキストを CSV ファイルに移してください。', 'foreign-office': '古いオフィスのファイル (.xls、.doc) です。CSV で保存してから選んでください。', 'foreign-archive': '圧縮ファイル (.zip) です。先に展開してください。', 'bad-encoding': '{encoding} のファイルではありません。別の文字コードを選んでください。', 'unclosed': '{n} 行目の引用符が閉じていません。',
		'label': 'クラス',
		'empty-model': 'まだ何も学習していないので、分類できません。',
	},
}

const wanted = [sessionStorage.getItem('bayes-language'), ...navigator.languages.map(l => l.slice(0, 2))]
let language = wanted.find(l => words[l]) ?? 'en'

export const currentLanguage = () => language

export function setLanguage(l) {
	language = l
	sessionStorage.setItem('bayes-language', l)
}

// text returns a sentence as a string, with values put in for {names}.
export const text = (name, values = {}) =>
	(words[language][name] ?? words.en[name] ?? name).replace(/\{(\w+)\}/g, (_, v) => values[v])

// say returns a sentence as nodes, in which the values keep their own direction.
export const say = (name, values = {}) =>
	(words[language][name] ?? words.en[name] ?? name).split(/(\{\w+\})/).filter(s => s !== '')
		.map(s => s[0] === '{' ? bdi(String(values[s.slice(1, -1)])) : s)

// sayAll puts the words of the language into the elements of the page itself.
export function sayAll() {
	document.documentElement.lang = language
	for (const node of document.querySelectorAll('[data-say]')) node.textContent = text(node.dataset.say)
	for (const node of document.querySelectorAll('[data-label]')) node.setAttribute('aria-label', text(node.dataset.label))
}

// Numbers.
const format = (v, options) => new Intl.NumberFormat(language, options).format(v)
export const count = v => format(v, {maximumFractionDigits: 6})
export const brief = v => {
	if (!Number.isFinite(v)) return infinity(v)
	if (Number.isInteger(v) && Math.abs(v) < 1e15) return count(v)
	if (Math.abs(v) >= 1e-4 && Math.abs(v) < 1e15) return format(v, {maximumSignificantDigits: 4})
	const [digits, power] = v.toExponential(3).split('e')
	return `${format(Number(digits))} × 10${power.replace('+', '').replace(/./g, c => c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[c])}`
}
// near returns a probability so that it is not said to be certain where it is not.
export const near = p => p < 1 && p > .9999 ? '1 − ' + brief(1 - p) : brief(p)
export const logarithm = v => Number.isFinite(v) ? format(v, {minimumFractionDigits: 3, maximumFractionDigits: 3}).replace('-', '−') : infinity(v)
export const signed = v => Number.isFinite(v) ? format(v, {minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero'}).replace('-', '−') : infinity(v)
export const percent = p => {
	const options = {style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1}
	if (p > 0 && p < .0005) return '<' + format(.001, options)
	if (p < 1 && p > .9995) return '>' + format(.999, options)
	return format(p, options)
}
export const spread = s => s.examples ? `${brief(s.mean)} ± ${brief(s.deviation)}` : '–'
const infinity = v => Number.isNaN(v) ? '–' : v > 0 ? '+∞' : '−∞'
