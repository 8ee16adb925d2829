\set turn :turn + 2
\set number :base + :client_id * 1000000000 + :turn
\set next :number + 1
\set person random(1, :people)
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 'app'
-- $3 'email'
-- $4 'coded' || :person || '@example.com'
-- $5 jsonb_build_object('version', 1, 'provider', 'email_otp', 'proofs', '[]'::jsonb, 'language', '', 'guess_bucket', md5(:number::text), 'new_account', false, 'remember', false, 'step', jsonb_build_object('kind', 'code', 'medium', 'email', 'address', 'coded' || :person || '@example.com'), 'name', 'coded' || :person || '@example.com')
-- $6 sha256(int8send(:number))
-- $7 30
-- $8 lpad(:number::text, 32, '0')::uuid
-- $9 'email'
-- $10 'coded' || :person || '@example.com'
-- $11 'code.sign_in'
-- $12 null
-- $13 'app'
-- $14 null
-- $15 decode(repeat('ab', 93), 'hex')
-- $16 30
-- $17 600
-- $18 lpad(:next::text, 32, '0')::uuid
-- $19 'email'
-- $20 'coded' || :person || '@example.com'
-- $21 'no_account'
-- $22 null
-- $23 'app'
-- $24 null
-- $25 decode(repeat('ab', 63), 'hex')
-- $26 30
-- $27 600
-- $28 array[substr(sha256(int8send(:number)), 1, 16), substr(sha256(int8send(:next)), 1, 16)]
-- $29 array[5, 1000000]::bigint[]
-- $30 array[600000, 1]::bigint[]
-- $31 'code_sent'
-- $32 '127.0.0.1'
-- $33 lpad(:number::text, 32, '0')
select outcome, wait, known
  from begin_code_flow($1, $2, $3, $4, $5,
                       $6, $7, row($8, $9, $10, $11, $12, $13, $14, $15, $16, $17)::outgoing_message,
                       row($18, $19, $20, $21, $22, $23, $24, $25, $26, $27)::outgoing_message, $28, $29, $30, $31, $32,
                       $33);
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 1
-- $3 'sent'
-- $4 lpad(:number::text, 32, '0') || '@localhost'
-- $5 null
-- $6 5::float8
select settle_outgoing($1, $2, $3, $4, $5, $6);
