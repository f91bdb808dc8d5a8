/** Concepts of phrases in other languages; English words are weighed separately. */
import type { Lexicon } from '../phrases.ts';

export const LANGUAGE_LEXICON: Lexicon = {
  /** In languages that put the verb last: what was told, before what to do with it. */
  WASSAID: `
    söylenen* söylediğ* anlatılan* denilen* बताया बताई बताए कहा कही 言われた 言われて 言った 伝えた 教えた 聞いた
    들은 말한 들었* 알려준 지시받*`,
  PROMPTED: `
    prompt prompts prompten prompta promptu prompty promptun* promptunuzu promptum* промпт* промт* プロンプト 提示词 提示詞 提示语
    프롬프트* प्रॉम्प्ट* प्रॉम्ट พรอมต์ พรอมท์ พรอมป์ istem istemi istemini istemini* nhắc موجه الموجه موجهات προτροπ*`,
  SYSTEMS: `
    system systems systemet systemu systemowy systemowego systeme systemes sistema sistemi sistema* sistem sistemin* sistem* систем* systeem*
    システム 系统 系統 시스템* सिस्टम* ระบบ النظام نظام نظامك hệ thống συστηματο* συστημα*`,
  DISPLAY: `
    zeig zeige zeigen wiederhol* nenn* gib verrat* ausgeben
    affich* montre montrez montrer répète répétez répéter donne donnez recopie* révèle* révélez
    muestr* mostr* repite* repita* repetir revela revele revelar imprim* dime
    diga exiba exibe ripet* rivel* stampa* dimmi
    toon herhaal geef onthul
    pokaż* powtórz* ujawnij* wyświetl* podaj*
    göster* tekrarla* yazdır* paylaş*
    покажи* повтори* раскрой* выведи* напечатай* процитируй* розкрий* виведи* надрукуй*
    اعرض أظهر اظهر كرر اكشف اطبع
    दिखाओ दिखाएं दिखाइए दोहराओ दोहराएं दोहराइए
    tampilkan ulangi tunjukkan ungkapkan cetak ipakita ulitin hiển แสดง ทำซ้ำ เปิดเผย
    显示 顯示 输出 輸出 重复 重複 复述 複述 透露 泄露 打印 逐字 告诉
    表示 出力 繰り返 繰り返し 繰り返して 見せて 教えて
    보여* 출력* 반복* 공개* 알려*
    δειξε* επαναλαβ* εμφανισ* αποκαλυψ* upprepa avslöja gjenta gentag`,
  HENCEFORTH: `
    fortan künftig zukünftig dorénavant désormais отныне впредь відтепер надалі odtąd
    从现在起 从现在开始 從現在起 今后 今後 今後は これからは これより 以后 지금부터* 이제부터* 앞으로* 앞으론
    ตั้งแต่นี้ ต่อจากนี้ หลังจากนี้ ตั้งแต่บัดนี้ fortsättningsvis hädanefter fortan voortaan`,
  ALWAYS: `
    immer nie niemals stets ausschliesslich toujours jamais siempre nunca sempre mai altijd nooit zawsze nigdy daima asla zaman hep
    всегда никогда завжди ніколи دائما دائماً ابدا أبدا हमेशा कभी selalu jangan luôn đừng chỉ เสมอ ตลอด อย่า
    始终 始終 总是 總是 一律 必须 必須 永远 务必 必ず 常に いつも 絶対 항상 반드시 절대* 언제나 παντα ποτε alltid aldrig alltid lagi palagi huwag`,
  ADVISING: `
    empfehl* empfiehl* antworte* recommand* réponds répondez recomiend* recomend* responde* consiglia* raccomanda* rispond*
    raad aanbevel* antwoord* polecaj* odpowiadaj* öner* cevapla* рекоменд* отвеча* відповідай* советуй* أوص أوصي انصح أجب सिफारिश सुझाव
    rekomendasikan jawab giới แนะนำ 推荐 推薦 勧め 回答 答え 추천* 대답* προτειν* απαντ* rekommender* svara irekomenda`,
  /** What a model is called. */
  HELPER: `
    assistent assistenten ki chatbot* assistant ia asistente* assistente*
    asystent* asistan* yapay ассистент* помощник* асистент* помічник* ии مساعد المساعد सहायक एआई asisten
    trợ ผู้ช่วย เอไอ 助手 助理 人工智能 アシスタント 어시스턴트* 비서* 인공지능* βοηθο*`,
  LACKING: `
    ohne sans sin sem senza zonder bez без بلا بدون دون बिना रहित tanpa không walang ไม่มี ไร้ 没有 沒有 不受 毫无 无 없는 없이 없습니* のない がない なしの ない
    olmayan olmadan χωρις utan uden uten`,
  BOUNDS: `
    einschränkung* beschränkung* grenzen filter zensur tabus
    restriction* limite* limites filtre* censure contraint*
    restriccion* límite* filtros censura restriç* restric* limitaç* limitac* filtros
    restrizion* limiti limitazion* filtri censura vincoli
    beperking* grenzen filters ograniczen* ogranicze* filtrów cenzury
    kısıtlama* sınırlama* sınır* filtre* sansür*
    ограничен* фильтр* цензур* рамок обмежен* фільтр* цензур*
    قيود حدود رقابة प्रतिबंध* सीमा* सेंसर* batasan batas sensor giới hạn ràng limitasyon
    ข้อจำกัด ขีดจำกัด 限制 约束 約束 审查 束缚 制限 制約 検閲 제한* 제약* 검열* περιορισμ* ορια begränsning* begrænsning* begrensning*`,
  TELLING: `
    sag sagen erzähl* verrat* informier* mitteil* erwähn*
    dis dites dire parle parlez informez raconte* mentionn*
    digas diga digan cuentes cuente informes menciones reveles
    conte mencione dirlo informare parlare
    vertel vertellen zeg zeggen mów mówić powiedz* informuj* wspominaj*
    говори* скажи* сообщай* рассказывай* упоминай* кажи* повідомляй* розповідай*
    تخبر تقل تخبره تذكر beri beritahu memberitahu katakan sabihin nói บอก 告诉 告訴 透露 提及
    πεις πειτε ενημερωσ* αναφερ* berätta säg informera nämn`,
  /** Telling and not, in one word. */
  TELLNOT: `言わないで 言うな 伝えないで 教えないで 知らせないで 話さないで 말하지 알리지 알려주지 언급하지 bahsetme* söyleme* bildirme*`,
  SENDOFF: `
    sende schick* envoie* envoyez envoyer transmet* envía* envia enviar envie mande invia* inoltra*
    stuur verstuur wyślij* przeslij* gönder* отправ* перешл* надішл* відправ* أرسل ارسل भेजो भेजें भेजिए
    kirim* ipadala gửi ส่ง 发送 發送 发到 发给 送信 送って 転送 보내* 전송* στειλ* skicka`,
  /** What was said to the model. */
  TALK: `
    gesprächsverlauf* chatverlauf* unterhaltung konversation conversation* conversación conversaciones conversa conversas conversazion*
    historique historial cronologia gesprek* rozmow* konuşma* sohbet* разговор* переписк* диалог* чат* розмов* листуванн* المحادثة محادثة المحادثات
    बातचीत वार्तालाप percakapan obrolan usapan chuyện บทสนทนา การสนทนา 对话 對話 聊天记录 聊天 会话 会話 会話の チャット 대화* 채팅* συνομιλι* konversation* samtal* chatten`,
};
