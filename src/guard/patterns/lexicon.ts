/** The words of each concept in common languages; accents are ignored. */
import type { Lexicon } from '../phrases.ts';

export const LEXICON: Lexicon = {
  NEGATION: `
    not never dont doesnt didnt cannot cant without wont shouldnt mustnt nor avoid
    nicht nie niemals kein keine ne pas jamais nunca jamas nao non mai niet nooit nie не никогда 不 别 不要 勿 لا`,
  /** Said of what a reader should do with words; the next ones are also said of code, orders and policies. */
  IGNORE: `
    ignore ignores ignored ignoring disregard disregards disregarding forget forgetting unlearn
    ignorier* missacht* vergiss vergesst vergessen verwirf umgehe
    ignorez ignorer oubli* negligez
    ignora ignorar ignoren ignorad ignoralo olvid* desestim* omite omita
    ignorem esquec* esqueç* desconsider*
    dimentic* ignorate trascur*
    negeer negeren vergeet
    zignoruj* ignoruj* zapomnij* pomin* pomiń*
    unut* gormezden yoksay*
    игнорир* проигнорир* забуд* забыть отбрось*
    تجاهل تجاهلي تجاهلوا انس انسى انسي اهمل
    अनदेखा नज़रअंदाज़ नजरअंदाज भूल भूलें भूलो उपेक्षा
    abaikan lupakan hiraukan kalimutan balewalain
    quên phớt ละเว้น ลืม เพิกเฉย ละเลย ไม่สนใจ ไม่ต้องสนใจ
    忽略 忽视 無視 无视 忘记 忘掉 忘了 忘れて 忘れる 無視し 無視して
    무시* 잊어* 잊으* 잊고
    अवहेलना अनसुना تغاضى اغفل tralascia* ubergeh* пренебре* zlekcewaz* অগ্রাহ্য acuhkan balewala
    ігнору* проігнору* знехтуй* ignorér*
    উপেক্ষা ভুলে ভুলুন αγνοησ* αγνοη* ξεχασ* ξεχν* glom ignorera ignorisi zaboravi`,
  OVERRIDE: `override overrides overriding overrule bypass bypassing circumvent discard dismiss neglect supersede void nullify erase abandon omit`,
  PRIOR: `
    previous previously prior above earlier preceding foregoing former aforementioned past initial original existing
    vorherig* vorig* obig* oben bisherig* vorangegangen* fruher* zuvor
    precedent* dessus anterieur* initiaux initiales
    anterior* previo* previa* previamente arriba
    precedent* sopra suddett*
    eerder* vorig* voorgaand* bovenstaand*
    poprzedni* wczesniejsz* powyzsz*
    onceki* yukaridaki* evvelki*
    предыдущ* прежн* вышеуказанн* ранее выше прошл*
    السابقة السابق السابقه أعلاه المذكورة
    ऊपर diatas पिछले पिछली पिछला पूर्व उपरोक्त पहले
    sebelumnya terdahulu nakaraang nakaraan naunang nauna
    trước ก่อนหน้า ก่อนหน้านี้ ข้างต้น
    之前 以前 先前 上面 以上 前面 此前 上述 以前の これまで 上記 前の
    이전* 위의 앞선 앞의 기존*
    попередн* раніше вище πριν acima yukarıdaki* atas
    আগের পূর্ববর্তী উপরের পূর্বের προηγουμεν* παραπανω tidigare ovan tidligere`,
  ALL: `
    all every everything each entire whole alle alles samtlich* tout tous toute toutes todo toda todos todas tudo şeyi tutto tutti tutte
    alle wszystk* tum* butun* hepsini все всё всех усі усе усіх всі mọi ทุกอย่าง allt alla όλα όσα جميع كل सभी सब semua lahat tất cả ทั้งหมด 所有 全部 一切 すべて 全て 모든 ολες ολα`,
  YOUR: `
    your yours dein* euer eure* ihr ihre ihren deine votre vos ton tes tu tus su sus vuestr* seu seus sua suas teu tua tuo tua tuoi
    vostr* uw jouw je twoj* twoje senin sizin твой твои ваш* свой свои свою आपके आपकी आपका अपने अपना kamu anda mo iyong inyong
    твій твої твого свій свої своє тебе вас ditt din dina dit σου σας ของคุณ bạn الخاصة الخاص swoje swoj* swój
    你的 您的 あなたの 너의 당신의`,
  AND: `and then y et und e и at dan ve và แล้ว 并 然后 और en i i`,
  TOLD: `told said instructed learned learnt taught given programmed know dit dicho dito detto gesagt сказа* söyle* सीखा बताया निर्देश* instruit appris dijeron dijo disseram disse verteld gezegd powiedzian* mówion* говорил* казал* قيل dikatakan diberitahu* bảo บอก 告诉 告訴 ειπαν ειπωθ* höra sagts aprendido ensinado`,
  SECRETIVE: `secret secrete secreta secreto segreta segreto geheim* секретн* gizli 秘密 秘密の 机密 비밀* गुप्त rahasia السري السرية lihim bí μυστικ*`,
  KEY: `key code clave clé cle clef llave chave chiave codigo codice schlussel* ключ* код* anahtar* kod* 密钥 代码 鍵 キー コード 키* 코드* कुंजी कोड kunci kode المفتاح مفتاح رمز الرمز susi khóa κλειδι*`,
  /** What else may be meant by rules, and often is not. */
  ORDERS: `
    command commands direction directions restriction restrictions constraint constraints policy policies limitation limitations
    programming safeguard safeguards guardrail guardrails protocol protocols order orders training`,
  RULES: `
    instruction instructions rule rules ruleset prompt prompts preprompt guideline guidelines directive directives
    anweisung* instruktion* regel regeln vorgabe* befehl* richtlinie* aufforderung*
    consigne* instruction* regle* directive*
    instruccion* regla* indicacion* directriz directrices restriccion* orden ordenes
    instrucao instrucoes instruç* regra* diretriz* comando* ordens
    istruzion* regol* direttiv* comand* indicazion*
    instructie* richtlijn* opdracht*
    instrukcj* polecen* zasad* wytyczn*
    talimat* yonerge* kural* komut*
    інструкц* вказів* вказівк* настанов* ข้อบังคับ
    инструкц* указани* правил* команд* директив* промпт*
    التعليمات تعليمات الأوامر القواعد تعليماتك التوجيهات الارشادات
    निर्देश* निर्देशों नियम* आदेश*
    instruksi* perintah* arahan* tagubilin* panuto* utos patakaran*
    hướng lệnh คำสั่ง คำแนะนำ กฎ
    指令 指示 命令 规则 規則 提示词 提示 说明 要求 指導 ルール プロンプト
    지시* 명령* 규칙* 지침* 프롬프트*
    নির্দেশ* নিয়ম* আদেশ* οδηγι* εντολ* κανον* instruktioner regler`,
  /** Who or what the rules are meant to hold back. */
  ETHICS: `
    ethic ethics ethical moral morals morality moralistic legal legality safety content openai openais anthropic google policy safeguards
    censorship ethische* moralische* ethique* moral* etic* moraux`,
  SYSTEM: `system initial hidden secret internal original base core preprompt pre-prompt system-prompt systemprompt underlying confidential developer`,
  REVEAL: `
    reveal reveals repeat print output show display list write recite paraphrase summarize summarise tell give dump leak disclose expose copy
    encode echo return translate convert describe spell state share provide format rewrite reproduce quote restate reiterate transcribe store enumerate regurgitate rephrase say explain paste gimme
    zeig* wiederhol* nenn* gib verrat* druck* ausgeben
    revele* affich* montre* repete* donne* dis dites
    revel* muestra* muestre* repit* repet* dime diga imprim* dame mostr*
    rivel* mostra* ripet* stampa* dimmi
    toon herhaal geef покажи* повтори* раскрой* выведи* скажи* 显示 输出 重复 告诉 打印 透露 泄露 教えて 表示 出力 繰り返し 알려* 보여* 출력* 반복* göster* söyle* yaz اعرض اكشف كرر أظهر बताओ बताएं दिखाओ`,
  /** What only the assistant or its operator should know. */
  SECRET: `
    password passwords passcode passcodes passphrase passphrases credential credentials
    passwort* kennwort* contrasena* clave motdepasse senha* wachtwoord* hasl* hasło hasła parola* sifre* парол* المرور مرور
    पासवर्ड sandi* khẩu รหัสผ่าน 密码 密碼 口令 パスワード 暗証番号 비밀번호* 패스워드* পাসওয়ার্ড* κωδικο* losenord lozink*`,
  ASK: `
    what whats tell give share reveal say spell disclose
    nenn* sag* gib geben verrat* quel quelle donne* partage* dites dis cual dime dame comparti* diga dar qual diga compartilh* dica condivid* dimmi quale
    wat geef какой какова скажи* назови* поделит* каков ما هي هو هل أعطني क्या बताएं बता apa berikan ano ibahagi maaari gì là อะไร บอก
    podaj* zdradź* ujawnij* який яка яке назви* vad ge vilket
    什么 告诉 分享 是什么 何 何です 教えて 공유* 무엇* 뭐* 알려* nedir paylas* soyle* ποιος ποια τι`,
  USER: `
    user users usuario usuaria utilisateur benutzer* nutzer* utente usuario gebruiker uzytkownik* kullanici* пользовател* المستخدم
    उपयोगकर्ता* pengguna gumagamit ผู้ใช้ 用户 用戶 ユーザー ユーザ 사용자* χρηστη*`,
  /** Facts about a person that a stranger asks for. */
  PRIVATE: `
    birth birthday birthdate born address residence lives live living email phone ssn balance bank salary initials age city credit card
    geburt* wohn* adresse* lebt habite* naissance adresse* vive reside domicilio direccion correo nacimiento saldo cumpleanos
    mora nascimento endereco aniversario abita nascita indirizzo residenza compleanno
    живет проживает рожд* адрес* баланс* 住 住在 生日 出生 地址 余额 住んで 誕生 生まれ 住所 거주* 살고 생년* 생일* 주소*
    yasiyor dogum adres* tinggal lahir alamat nakatira kapanganakan kaarawan tirahan यहाँ रहता जन्म शेष पता يعيش ميلاد عنوان رصيد`,
  /** Forms in which a secret is asked for when it must not be told. */
  POEM: `
    poem poems haiku haikus acrostic rap song lyrics couplet rhyme rhymes riddle limerick sonnet ballad verse
    gedicht* poeme poesie poema poesia soneto стих* хайку siir 诗 俳句 詩 시 시를 puisi tula कविता हाइकु قصيدة কবিতা thơ กลอน wiersz* dikt`,
  OBEY: `follow obey comply adhere respect abide heed honor honour observe`,
  SAY: `
    say says respond reply answer output print write return state begin start prefix declare repeat type sage antworte dis reponds di responde decir diga rispondi dici
    dame repite* répét* repet* ripeti* dite कहें कहो दें katakan* ulangi ulitin tell give sag 说 输出 回答 回复 重复 言って 答えて 말해* 대답* скажи* ответ* sabihin katakan قل`,
  PERSONA: `unfiltered uncensored unrestricted unlimited amoral immoral unethical jailbroken jailbreak unhinged unshackled unbound uninhibited unchained lawless evil unmoderated limitless boundless unconstrained remorseless`,
  /** What a model that behaves would add or keep to. */
  LIMITS: `
    restrictions restriction limitations limitation filters filter limits rules guidelines ethics morals morality censorship constraints boundaries
    warnings warning disclaimers disclaimer policies safeguards guardrails moderation inhibitions confines scruples refusal refusals apologies hesitation`,
  REFUSE: `refuse refuses refusing decline declines deny reject rejects apologize apologise warn`,
  PRETEND: `pretend act roleplay role-play simulate impersonate imagine become behave immerse embody assume emulate play`,
  WHENEVER: `whenever when if every each anytime upon always`,
  REQUEST: `ask asks asked asking request requests requested inquire inquires mention mentions mentioned query queries prompt prompts says said discusses discuss discussing wants talks`,
  PEOPLE: `user users anyone anybody someone somebody customer customers client clients person people he she they`,
  STEER: `recommend recommends suggest suggests promote promotes include includes append appends insert inserts mention add adds send sends forward redirect redirects direct directs transfer tell tells claim claims respond reply answer advise say execute run call prefer endorse`,
  SEND: `send sends sending forward forwards upload uploads post posts transmit exfiltrate exfiltrates email mail leak deliver transfer copy bcc submit push
    sende* schick* envoy* transmet* envia* enviar envie manda invia* отправ* перешл* 发送 发到 送信 보내* kirim ipadala gonder*`,
  LOOT: `
    conversation conversations history chat chats
    data details information files contents transcript transcripts logs messages memory memories ssh wallet seed card cards database emails contacts`,
  CONCEAL: `tell inform mention reveal disclose notify alert show say let explain admit acknowledge report log`,
  FUTURE: `future subsequent upcoming following next later forever permanently henceforth hereafter`,
  SESSIONS: `conversation conversations session sessions interaction interactions chat chats response responses reply replies answer answers request requests task tasks message messages query queries`,
  MUST: `must should always never shall will need required mandatory have do you`,
  /** Who reads this, in the words of whoever speaks to it. */
  MODEL: `ai ais assistant assistants llm llms chatbot chatbots gpt chatgpt claude gemini copilot bot bots model models summarizer summarizers summariser summarisers crawler crawlers scraper scrapers`,
  /** What a model goes by. */
  OWN: `
    instructions instruction guidelines guidance rules prompt prompts persona programming guardrails directives safeguards
    duties duty conditioning alignment moderation`,
  UNDO: `
    ignore forget disregard discard abandon withdraw against violate suspend loosen shed erase
    override overrule deactivate unlearn contradict oppose defy evade disobey`,
  VOID: `void cancelled canceled obsolete invalid null outdated irrelevant nonexistent revoked expired superseded`,
  ADMIN: `administrator admin administrators sysadmin superuser root developer developers operator creator openai anthropic`,
};
