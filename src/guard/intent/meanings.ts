/** The lexicon of the classifier: words of instructions in common languages. */
import type { Lexicon } from '../phrases.ts';

export const MEANINGS: Lexicon = {
  REMEMBERING: `
    remember remembers memorise memorize store stores save saves note record keep memory memories notes
    merk* speicher* notier* erinner* gedächtnis retiens retenez mémoris* enregistr* garde gardez souviens souvenez mémoire
    recuerd* guard* memoriz* anota* memoria lembr* memoriz* anote memória ricord* memorizz* salva* annota* memoria
    onthoud* bewaar* geheugen zapamiętaj* zapisz* pamięć zapamatuj* ulož* hatırla* kaydet* hafıza* unutma
    запомни* запиши* сохрани* памят* запам* збережи* تذكر احفظ سجل ذاكرت* याद सहेज* स्मृति ingat* simpan* nhớ lưu จำไว้ บันทึก
    记住 記住 保存 记下 存入 记忆 覚えて 記憶 記録 保存して 기억* 저장* 기록* tandaan মনে θυμησου αποθηκευσ* kom ihåg spara`,
  DOCUMENT: `
    page pages site website document text paragraph mail email newsletter message article file comment ticket post pdf cv resume résumé
    seite dokument absatz nachricht lebenslauf datei page site paragraphe courriel fichier página sitio párrafo documento correo mensaje archivo
    arquivo mensagem pagina sito paragrafo messaggio pagina bericht tekst strona strony dokument* wiadomo* stránk* sayfa* metin* belge*
    страниц* текст* документ* письм* сообщен* сторінк* الصفحة النص الوثيقة الرسالة पृष्ठ पेज पाठ दस्तावेज़ halaman teks dokumen trang văn
    页面 本页 文件 邮件 段落 ページ 文書 段落 メール 페이지* 문서* 글 메일* หน้านี้ เอกสาร ข้อความ`,
  OBEYING: `
    obey follow comply heed submit listen execute carry perform gehorch* befolg* folge folgen hör ausführ* obéis* obéir suis suivez écoute* exécut*
    obedec* sigue siga seguir ejecut* obedeça siga execut* obbedi* segui seguire esegui* gehoorza* volg voer słuchaj wykonuj* wykonaj
    poslouchej prováděj uy uygula* itaat слушай* подчин* выполн* следуй* виконуй* слухай* أطع اتبع نفذ पालन मानो ikuti patuhi laksanakan tuân theo ทำตาม เชื่อฟัง
    服从 听从 遵守 执行 従って 従い 実行 従う 따르* 복종* 실행* sundin সালন`,
  ANSWERS: `
    answer answers reply replies response responses output summary review reviews recommendation antwort* zusammenfassung bewertung* réponse* résumé avis
    respuesta* resumen reseña* resposta* resumo rispost* riassunto recension* antwoord* samenvatting odpowied* streszczen* odpověd* cevap* yanıt* özet*
    ответ* отзыв* відповід* الإجابة إجابة جواب ردود उत्तर* जवाब* jawaban ringkasan trả lời คำตอบ 回答 答复 回复 返答 答え 回答に 답변* 대답* 응답* sagot উত্তর*`,
  EVERY: `
    every each all always any whenever everywhere jede* jedes jedem immer alle stets chaque toujours tous toutes cada siempre todas todos sempre ogni tutti elke altijd
    każd* zawsze vždy každ* her daima hep каждый каждом каждую каждой всегда кожн* завжди كل دائما हर हमेशा setiap selalu mỗi luôn mọi ทุก เสมอ
    每 每次 每个 总是 一律 都要 すべて 毎回 必ず 常に 모든 항상 매번 bawat palagi প্রতিটি সবসময়`,
  RECOMMENDING: `
    recommend recommends suggest suggests promote promotes praise endorse advertise favour favor prefer mention rate steer
    empfehl* empfiehl* empfohlen bewirb nenne erwähne recommand* mentionn* propose* recomiend* recomend* mencion* consigli* raccomand* menzion*
    aanbevel* noem polec* poleca* doporuč* öner* tavsiye рекоменд* совету* упомин* оцени* рекоменду* أوص انصح رشح सिफारिश* सुझा* सलाह rekomendasi* sarankan
    giới thiệu đề xuất แนะนำ 推荐 推薦 勧め 推薦し 추천* irekomenda সুপারিশ* rekommender* προτειν*`,
  SECRETLY: `
    silently quietly secretly discreetly covertly unnoticed behind heimlich stillschweigend unbemerkt unauffällig secrètement discrètement insu prévenir
    secretamente silencio escondidas avisar segreto nascosto avvisare stiekem potajemnie tajně wiedzy gizlice haber sessizce тайно скрытно втайне таємно سرا دون खुफिया चुपके
    diam tanpa lén lút ลับ แอบ 秘密地 偷偷 悄悄 暗中 こっそり 密かに 知らせず 몰래 비밀리* lihim গোপনে`,
  CONFIRMING: `
    confirmation confirm approval approve approved permission consent verification verify check checks review validation authorisation authorization authorised authorized authorise
    bestätigung* freigabe genehmigt* genehmig* zustimm* zugestimmt prüfung* geprüft kontroll* confirmation accord approuv* vérifi* contrôle*
    confirmación aprob* permiso verific* revis* confirmação aprov* permissão conferma approv* permesso controll* bevestiging goedgekeurd toestemming
    potwierdz* zatwierdz* zgod* schvál* potvrzen* onay* kontrol* подтвержд* одобр* проверк* провер* разреш* підтвердж* схвал* تأكيد موافق* وافق تحقق पुष्टि मंजूर* स्वीकार* अनुमति
    konfirmasi persetujuan menyetujui disetujui xác nhận phê duyệt chấp ยืนยัน อนุมัติ 确认 同意 批准 检查 审核 確認 承認 許可 확인* 승인* 허락* অনুমোদন*`,
  PAYING: `
    payment payments pay transfer transfers purchase purchases buy invoice invoices transaction transactions account money card refund order
    zahlung* überweis* kauf* rechnung* konto geld paiement* virement* achat* facture* argent compte pago* transfer* compra* factura* dinero cuenta
    pagamento* transferência* fatura* conta pagament* bonific* acquist* fattur* soldi conto betaling* overboeking* płatno* przelew* platb* ödeme* para havale fatura
    платеж* платёж* перевод* оплат* счёт* счет* деньги платіж* переказ* مدفوعات تحويل دفع فاتورة भुगतान* पैसे pembayaran transfer uang thanh toán chuyển khoản การชำระเงิน โอน
    付款 转账 支付 购买 发票 支払い 送金 振込 購入 결제* 송금* 이체* 구매* bayad পেমেন্ট`,
  DELETING: `
    delete deletes erase wipe remove removes drop destroy format cancel disable deactivate shut lösch* entfern* vernicht* deaktivier* supprim* efface* détrui* désactiv*
    borra* elimina* destru* desactiv* apag* exclu* elimin* cancell* disattiv* verwijder* wis usuń usuwaj skasuj smaž* sil sildir kaldır iptal
    удали* сотри* отключ* уничтож* видали* вимкни* احذف امسح عطل हटा* मिटा* बंद hapus* nonaktif* xóa hủy ลบ ปิด 删除 清空 取消 关闭 削除 消去 無効 삭제* 제거* 취소* burahin`,
  RUNNING: `
    run execute invoke call install download open launch start trigger click visit fetch führe starte öffne installier* lade ruf exécut* lance* ouvre* installe* télécharge*
    ejecut* abre abra instala* descarga* execut* abra instale baixe esegui apri installa scarica voer open installeer uruchom otwórz spusť otevři çalıştır aç yükle indir
    запусти* выполни* открой* установи* скачай* запусти відкрий شغل نفذ افتح حمل चला* खोल* डाउनलोड jalankan buka unduh chạy mở tải รัน เปิด ดาวน์โหลด
    运行 打开 下载 执行 安装 実行 開いて ダウンロード 실행* 열어* 다운로드*`,
  ADMINS: `
    administrator admin operator developer creator owner boss manager security headquarters management supervisor vendor
    verwalter betreiber entwickler* chef leitung sicherheits* administrateur opérateur développeur créateur responsable direction sécurité
    administrador operador desarrollador creador jefe seguridad desenvolvedor criador chefe segurança amministratore operatore sviluppatore creatore capo sicurezza
    beheerder ontwikkelaar administrator* programist* správc* yönetici* geliştirici* operatör* güvenlik администратор* разработчик* оператор* начальник* безопасност* адміністратор*
    المسؤول المشغل مطور* المدير الأمن व्यवस्थापक ऑपरेटर डेवलपर administrator pengembang quản trị nhà phát triển ผู้ดูแล ผู้พัฒนา 管理员 开发者 运营者 安全部门 管理者 開発者 運営者 관리자* 개발자* 운영자*`,
  ADDRESSED: `
    assistant assistants ai ais agent agents llm llms chatbot chatbots bot bots model models crawler crawlers machine machines robot robots
    assistent* ki sprachmodell* modelle ia assistante* modèle* asistente* modelo* assistente* modell* asystent* asistan* yapay zeka* ассистент* нейросет* модел* асистент*
    المساعد مساعد الذكاء सहायक एआई asisten trợ lý ผู้ช่วย 助手 人工智能 模型 语言模型 アシスタント 言語モデル エーアイ 어시스턴트* 인공지능* 모델*`,
  LINKS: `link url address webhook endpoint server website http https adresse lien enlace dirección endereço indirizzo ссылк* адрес* رابط عنوان लिंक tautan liên kết ลิงก์ 链接 网址 リンク アドレス 링크* 주소*`,
  PERMITTED: `
    unrestricted unlimited unfiltered uncensored unlocked free freely anything everything limits rules taboos uneingeschränkt grenzenlos illimité limites tabou*
    ilimitado limites límites tabú* illimitat* limiti tabù ограничен* запрет* قيود حدود सीमा* प्रतिबंध batasan giới hạn ข้อจำกัด 限制 无限制 禁忌 制限 禁止 제한* 금지*`,
  PRECEDING: `
    above before preceding first beginning top start earlier prior previous hidden initial vor vorher oben anfang versteckt* avant précéd* début caché* antes anterior* principio ocult* início
    escond* prima inizio nascost* przed początk* ukryt* önce başında gizli выше перед начал* скрыт* قبل أعلاه البداية المخفي* पहले ऊपर छिपे sebelum awal tersembunyi trước đầu ẩn ก่อน ข้างต้น ซ่อน
    之前 上面 开头 隐藏 前面 以前 上の 最初 隠された 이전* 위의 처음 숨겨진`,
};
