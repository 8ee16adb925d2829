/// Common passwords, from published lists of leaked ones.
///
/// A listed word stays common in each of its ``PasswordForms``, because attackers try those next.
enum CommonPasswords {
    static func contain(_ forms: PasswordForms) -> Bool { forms.areAny(of: words) || forms.isOneCharacter }

    private static let words = Set(list.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let list = """
        000000 00000000 0123456789 0987654321 101010 102030 10203040 111111 11111111 1111111111 112233 11223344
        1122334455 121212 12121212 123123 123123123 123321 12332112 1234 12345 123456 1234567 12345678 123456789
        1234567890 12345678a 123456a 1234qwer 123654 123654789 123abc 123qwe 123qweasd 12qwaszx 131313 1337 13371337
        147258 147258369 159357 159753 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 222222 22222222
        333333 444444 5201314 54321 555555 55555555 654321 666666 66666666 7654321 777777 7777777 77777777 87654321
        888888 88888888 987654321 999999 99999999 a123456 a12345678 a1b2c3 a1b2c3d4 aa123456 aaaaaa aaaaaaaa abc123
        abc12345 abcd1234 abcdef abcdefg abcdefgh access adgangskode admin admin123 admin1234 administrator
        administrator1 allah always amanda amazon america andrew android angel angels anthony apple april arsenal
        asd123 asdasd asdasdasd asdf1234 asdfasdf asdfgh asdfghjkl asdqwe ashley asshole august austin australia
        autumn azerty azertyuiop babyboy babygirl bailey banana barcelona baseball baseball1 basketball batman
        berlin bigdog bitch biteme blessed blessing blink182 bonjour boston brandon brazil buddha business buster
        butterfly california camaro canada change changeme charizard charlie charlie1 cheese chelsea chester chicago
        china chocolate christ cisco cobra coffee company computer contrasena contraseña cookie correcthorse
        correcthorsebatterystaple corvette counterstrike cowboys dallas daniel danielle database debian december
        default demo denver developer diablo diamond docker doggie dolphin doudou dragon dragon123 drummer eagle
        eagles elephant elizabeth eminem engineer england estrella example facebook faith falcon family father
        february ferrari ficken florida flower football football1 forever fortnite france freedom friday friends
        frodo fuckoff fuckyou futbol galaxy gamer gandalf garfield geheim george germany gfhjkm ginger github gitlab
        golden goldfish google grace guest guitar h4x0r hacker hallo hallo123 harley haslo haslo123 hawaii heather
        heaven hello hello123 hellohello helpdesk heslo heslo123 hobbit hockey houston hunter i123456 iloveu
        ilovey0u iloveyou iloveyou1 iloveyou2 instagram internet iphone ironman january japan jasmine java
        javascript jelszo jenkins jennifer jessica jesus jesuschrist jordan joshua july june jupiter justin juventus
        killer klubnika krishna kubernetes lakers leet letmein letmein1 letmein123 linux lion liverpool login
        lokomotiv london lovely loveme loveyou lozinka maggie manager manchester march marina mario marseille master
        master123 matrix matthew maverick melissa mercedes mercury merlin metallica mexico michael michelle mickey
        microsoft minecraft minnie mohammed monday monkey monkey123 moscow motdepasse mother muhammad mustang mysql
        naruto natasha newyork nicolas nicole nihao123 ninja nintendo nirvana nothing november october office oliver
        opensesame oracle orange p@ssw0rd p@ssword pa55word panther paris parol parola pass pass1234 passord
        passpass passw0rd password password! password01 password1 password12 password123 password1234
        passwordpassword passwort patricia pepper phoenix phoenix1 pikachu pirate player playstation pluto pokemon
        porsche postgres princess princess1 private privet purple pussy python q123456 q1w2e3r4 q1w2e3r4t5 qazwsx
        qazwsxedc qazxsw qqqqqq qwe123 qweasd qweasdzxc qweqwe qwer1234 qwerty qwerty1 qwerty12 qwerty123 qwerty1234
        qwerty12345 qwertyuiop qwertz qwertzuiop rainbow ranger realmadrid rebecca redis robert roblox rockstar root
        root123 russia salasana samantha sample samsung samurai saturday saturn schatz scooby scorpion secret
        security senha senha123 september server service sesame sexy shadow sifre sifre123 silver slipknot snoopy
        soccer soleil something sonic sophie spartak spiderman spring starwars starwars1 steelers stephanie summer
        sunday sunshine sunshine1 superman superman1 support svetlana swift swordfish sydney temp temporary tequiero
        test test1234 tester testing texas thomas thursday tiger tigger toor toyota trustno1 trustno1! tuesday
        twitter ubuntu unicorn universe user viper wachtwoord wang1234 warcraft wednesday welcome welcome1 welcome12
        welcome123 welcome1234 whatever whatsapp william windows winter wizard woaini woaini1314 wolf xbox360 xxxxxx
        yankees yellow youtube yxcvbnm zaq12wsx zaq1zaq1 zelda zenit zhang123 zxc123 zxcv1234 zxcvbn zxcvbnm
        zxcvbnm1 zzzzzz
        """
}
