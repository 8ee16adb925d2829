-- The numbers that get a notice of an account as a text message. A removal of second factors or a passkey goes to all proved ones: a
-- mailbox alone could hide it. Text messages cost money, so other notices go to a number only without a mailbox that was proved
-- before it or more than 7 days ago, and five times a day. A younger mailbox may be an intruder's.
-- Locks: none
create or replace function texted_numbers(p_account uuid, p_kind text) returns setof text language sql stable as $$
    select p.phone_key
      from account_phones p
     where p.account_id = p_account and p.proved_at is not null
       and (p_kind in ('factor_removed', 'passkey_removed', 'factor_removal_asked')
            or not exists (select from account_emails e
                            where e.account_id = p_account and e.proved_at is not null
                              and (e.proved_at <= p.proved_at or e.proved_at < now() - interval '7 days'))
               and (select count(*) from outbox o
                     where o.medium = 'sms' and lower(o.address collate "C") = p.phone_key and o.kind like 'notice.%'
                       and o.created_at > now() - interval '1 day') < 5);
$$;
