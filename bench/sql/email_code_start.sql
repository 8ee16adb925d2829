\set turn :turn + 2
\set number :base + :client_id * 1000000000 + :turn
\set next :number + 1
\set person random(1, :people)
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 'app'
-- $3 'email'
-- $4 'coded' || :person || '@example.com'
-- $5 jsonb_build_object('version', 1, 'provider', 'email_otp', 'proofs', '[]'::jsonb, 'language', '', 'guess_bucket', md5(:number::text), 'new_account', false, 'name', 'coded' || :person || '@example.com')
-- $6 sha256(int8send(:number))
-- $7 30
-- $8 600
-- $9 lpad(:number::text, 32, '0')::uuid
-- $10 'email'
-- $11 'coded' || :person || '@example.com'
-- $12 'code.sign_in'
-- $13 null
-- $14 'app'
-- $15 null
-- $16 decode(repeat('ab', 93), 'hex')
-- $17 30
-- $18 600
-- $19 array[substr(sha256(int8send(:number)), 1, 16), substr(sha256(int8send(:next)), 1, 16)]
-- $20 array[5, 1000000]::bigint[]
-- $21 array[600000, 1]::bigint[]
-- $22 'code_sent'
-- $23 '127.0.0.1'
-- $24 lpad(:number::text, 32, '0')
-- $25 decode(repeat('ab', 165), 'hex')
select outcome, wait, known
  from begin_code_flow($1, $2, $3, $4, $5, $25,
                       $6, $7, $8,
                       row($9, $10, $11, $12, $13, $14, $15, $16, $17, $18)::outgoing_message, $19, $20, $21, $22, $23,
                       $24);
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 1
-- $3 'sent'
-- $4 lpad(:number::text, 32, '0') || '@localhost'
-- $5 null
-- $6 5::float8
select settle_outgoing($1, $2, $3, $4, $5, $6);
