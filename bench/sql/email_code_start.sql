\set turn :turn + 2
\set number :base + :client_id * 1000000000 + :turn
\set next :number + 1
\set person random(1, :people)
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 'app'
-- $3 'email'
-- $4 'coded' || :person || '@example.com'
-- $5 null
-- $6 jsonb_build_object('version', 1, 'provider', 'email_otp', 'proofs', '[]'::jsonb, 'language', '', 'guess_bucket', md5(:number::text), 'new_account', false, 'name', 'coded' || :person || '@example.com')
-- $7 decode(repeat('ab', 165), 'hex')
-- $8 sha256(int8send(:number))
-- $9 30
-- $10 600
-- $11 lpad(:number::text, 32, '0')::uuid
-- $12 'email'
-- $13 'coded' || :person || '@example.com'
-- $14 'code.sign_in'
-- $15 null
-- $16 'app'
-- $17 null
-- $18 decode(repeat('ab', 93), 'hex')
-- $19 30
-- $20 600
-- $21 array[substr(sha256(int8send(:number)), 1, 16), substr(sha256(int8send(:next)), 1, 16)]
-- $22 array[5, 1000000]::bigint[]
-- $23 array[600000, 1]::bigint[]
-- $24 'code_sent'
-- $25 '127.0.0.1'
-- $26 lpad(:number::text, 32, '0')
select outcome, wait, known
  from begin_code_flow($1, $2, $3, $4, $5, $6, $7,
                       $8, $9, $10,
                       row($11, $12, $13, $14, $15, $16, $17, $18, $19, $20)::outgoing_message,
                       $21, $22, $23, $24, $25,
                       $26);
-- $1 array[substr(sha256(int8send(:person)), 1, 16)]
-- $2 array[1]::bigint[]
-- $3 array[86400000]::bigint[]
select first, written from tell_once(null::outgoing_message, $1, $2, $3);
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 1
-- $3 'sent'
-- $4 lpad(:number::text, 32, '0') || '@localhost'
-- $5 null
-- $6 5::float8
select settle_outgoing($1, $2, $3, $4, $5, $6);
