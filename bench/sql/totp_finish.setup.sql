-- For each client of this run flows that wait for an app's code, in the form that the gateway gave to one that it never
-- heard of again; each with an account of its own.
with waiting as (
    select :base + client * 1000000000::bigint + turn as number
    from generate_series(0, 15) as client, generate_series(1, :flows) as turn
), people as (
    select number, md5('coded ' || number)::uuid as account, 'coded' || number || '@example.com' as address from waiting
), made as (
    insert into accounts (id, mfa) select account, true from people
), addresses as (
    insert into account_emails (account_id, address_key, address, source, proved_at)
    select account, address, address, 'apple', now() from people
), coming as (
    insert into identities (id, account_id, provider, realm, subject, email, email_verified, linked_by)
    select account, account, 'apple', 'TEAM123456', '001999.coded.' || number, address, true, 'new_account' from people
), apps as (
    insert into factors (id, account_id, kind, sealed, counter)
    select account, account, 'totp', first.sealed, 0
    from people, (select sealed from factors where name = 'first' order by added_at desc limit 1) as first
)
insert into flows (id, kind, client_id, account_id, identity_id, proofs, state, sealed, revision, resend_after, expires_at)
select lpad(number::text, 32, '0')::uuid, 'sign_in', 'app', account, account, known.proofs, known.state, known.sealed, 1,
       now() + interval '30 seconds', now() + interval '10 minutes'
from people, (select state, sealed, proofs from flows where kind = 'sign_in' and code_digest is null order by created_at desc limit 1) as known;
analyze accounts, account_emails, identities, factors, flows;
