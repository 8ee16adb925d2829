-- What operators look accounts up by, and what they are shown of one.

-- Prefixes of names, addresses and numbers, compared as bytes so that one index serves both the search and its order.
create index accounts_by_name on accounts ((lower(display_name) collate "C"), id) where display_name is not null;
create index accounts_by_last_name on accounts ((lower(substring(display_name from '[^ ]+$')) collate "C"), id)
    where display_name like '% %';
create index accounts_by_user_name on accounts ((user_name_key collate "C"), id) where user_name_key is not null;
create index account_emails_by_prefix on account_emails ((address_key collate "C"), account_id);
create index account_phones_by_prefix on account_phones ((phone_key collate "C"), account_id);
create index identities_by_subject on identities (subject, account_id);
create index identities_by_email on identities ((lower(email) collate "C"), account_id) where email is not null;

create function utc(p_at timestamptz) returns text language sql immutable as $$
    select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;

-- Accounts by the beginning of a name, address or number, in the order of what was found, after `p_after`. The end of
-- a range of texts that begin alike is the text with the greatest character behind it.
create function search_accounts_by_prefix(p_kind text, p_prefix text, p_after text, p_after_id uuid, p_limit integer)
returns table (found text, account_id uuid) language plpgsql stable as $$
declare
    first_ constant text := lower(p_prefix);
    last_ constant text := lower(p_prefix) || U&'\+10FFFF';
    from_ constant text := coalesce(p_after, '');
    from_id constant uuid := coalesce(p_after_id, '00000000-0000-0000-0000-000000000000');
begin
    if p_kind = 'email' then
        return query
            (select e.address_key, e.account_id from account_emails e
              where e.address_key collate "C" >= first_ and e.address_key collate "C" < last_
                and (e.address_key collate "C", e.account_id) > (from_, from_id)
              order by e.address_key collate "C", e.account_id limit p_limit)
            union
            (select lower(i.email), i.account_id from identities i
              where i.email is not null and lower(i.email) collate "C" >= first_ and lower(i.email) collate "C" < last_
                and (lower(i.email) collate "C", i.account_id) > (from_, from_id)
              order by lower(i.email) collate "C", i.account_id limit p_limit)
            order by 1, 2 limit p_limit;
    elsif p_kind = 'phone' then
        return query
            select p.phone_key, p.account_id from account_phones p
             where p.phone_key collate "C" >= first_ and p.phone_key collate "C" < last_
               and (p.phone_key collate "C", p.account_id) > (from_, from_id)
             order by p.phone_key collate "C", p.account_id limit p_limit;
    else
        return query
            (select lower(a.display_name), a.id from accounts a
              where a.display_name is not null and lower(a.display_name) collate "C" >= first_ and lower(a.display_name) collate "C" < last_
                and (lower(a.display_name) collate "C", a.id) > (from_, from_id)
              order by lower(a.display_name) collate "C", a.id limit p_limit)
            union
            (select lower(substring(a.display_name from '[^ ]+$')), a.id from accounts a
              where a.display_name like '% %' and lower(substring(a.display_name from '[^ ]+$')) collate "C" >= first_
                and lower(substring(a.display_name from '[^ ]+$')) collate "C" < last_
                and (lower(substring(a.display_name from '[^ ]+$')) collate "C", a.id) > (from_, from_id)
              order by lower(substring(a.display_name from '[^ ]+$')) collate "C", a.id limit p_limit)
            union
            (select e.address_key, e.account_id from account_emails e
              where e.address_key collate "C" >= first_ and e.address_key collate "C" < last_
                and (e.address_key collate "C", e.account_id) > (from_, from_id)
              order by e.address_key collate "C", e.account_id limit p_limit)
            union
            (select a.user_name_key, a.id from accounts a
              where a.user_name_key is not null and a.user_name_key collate "C" >= first_ and a.user_name_key collate "C" < last_
                and (a.user_name_key collate "C", a.id) > (from_, from_id)
              order by a.user_name_key collate "C", a.id limit p_limit)
            order by 1, 2 limit p_limit;
    end if;
end $$;

-- Accounts that an id or a subject names outright.
create function search_accounts_by_id(p_text text) returns table (found text, account_id uuid) language plpgsql stable as $$
declare
    id_ uuid;
begin
    return query select 'subject'::text, i.account_id from identities i where i.subject = p_text order by i.account_id limit 20;
    begin
        id_ := p_text::uuid;
    exception when invalid_text_representation then
        return;
    end;
    return query select 'account'::text, a.id from accounts a where a.id = id_;
    return query select 'session'::text, s.account_id from sessions s where s.id = id_;
    return query select 'identity'::text, i.account_id from identities i where i.id = id_;
end $$;

-- One line of a list of accounts.
create function account_line(p_account uuid) returns jsonb language plpgsql stable as $$
declare
    line jsonb;
begin
    select jsonb_build_object(
        'id', a.id, 'display_name', a.display_name, 'user_name', a.user_name, 'status', a.status, 'created_at', utc(a.created_at),
        'email', e.address, 'email_verified', e.proved_at is not null, 'phone', p.phone_key, 'phone_verified', p.proved_at is not null,
        'mfa', a.mfa, 'merged_into', a.merged_into, 'role', o.role,
        'providers', (select coalesce(jsonb_agg(distinct i.provider), '[]') from identities i where i.account_id = a.id))
      into line
      from accounts a
      left join account_emails e on e.account_id = a.id and e.is_main
      left join account_phones p on p.account_id = a.id and p.is_main
      left join operators o on o.account_id = a.id
     where a.id = p_account;
    return line;
end $$;

-- All that an operator may see of an account. Nothing in it lets anybody in.
create function account_dossier(p_account uuid) returns jsonb language plpgsql stable as $$
declare
    dossier jsonb;
begin
    select account_line(a.id) || jsonb_build_object(
        'changed_at', utc(a.changed_at), 'mfa_demanded', a.mfa_demanded, 'password_state', a.password_state,
        'first_factor', a.first_factor, 'attributes', a.attributes,
        'password_set_at', (select utc(w.set_at) from passwords w where w.account_id = a.id),
        'recovery_codes_left', (select count(*) from recovery_codes c where c.account_id = a.id and c.used_at is null),
        'emails', (select coalesce(jsonb_agg(jsonb_build_object(
                        'address', e.address, 'source', e.source, 'proved_at', utc(e.proved_at), 'is_main', e.is_main, 'is_relay', e.is_relay,
                        'undeliverable_since', utc(e.undeliverable_since), 'added_at', utc(e.added_at)) order by e.is_main desc, e.added_at), '[]')
                     from account_emails e where e.account_id = a.id),
        'phones', (select coalesce(jsonb_agg(jsonb_build_object(
                        'number', p.phone_key, 'source', p.source, 'proved_at', utc(p.proved_at), 'is_main', p.is_main,
                        'undeliverable_since', utc(p.undeliverable_since), 'added_at', utc(p.added_at)) order by p.is_main desc, p.added_at), '[]')
                     from account_phones p where p.account_id = a.id),
        'identities', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', i.id, 'provider', i.provider, 'realm', i.realm, 'subject', i.subject, 'email', i.email,
                        'email_verified', i.email_verified, 'email_is_relay', i.email_is_relay, 'display_name', i.display_name,
                        'linked_by', i.linked_by, 'linked_at', utc(i.linked_at),
                        'used_at', (select utc(max(s.rotated_at)) from sessions s where s.account_id = a.id and s.identity_id = i.id and s.ended_at is null),
                        'keeps_token', exists (select from provider_tokens t where t.identity_id = i.id)) order by i.linked_at, i.id), '[]')
                     from identities i where i.account_id = a.id),
        'factors', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', f.id, 'kind', f.kind, 'name', f.name, 'address', f.address, 'is_preferred', f.is_preferred,
                        'added_at', utc(f.added_at), 'used_at', utc(f.used_at)) order by f.added_at, f.id), '[]')
                     from factors f where f.account_id = a.id),
        'passkeys', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', k.id, 'name', k.name, 'backed_up', k.backed_up, 'attestation', k.attestation,
                        'added_at', utc(k.added_at), 'used_at', utc(k.used_at)) order by k.added_at, k.id), '[]')
                     from passkeys k where k.account_id = a.id),
        'sessions', (select coalesce(jsonb_agg(session), '[]') from (
                        select jsonb_build_object(
                            'id', s.id, 'client_id', s.client_id, 'provider', s.provider, 'identity_id', s.identity_id, 'acr', s.acr, 'amr', s.amr,
                            'device_name', s.device_name, 'user_agent', s.user_agent, 'address', s.address, 'created_at', utc(s.created_at),
                            'last_used_at', utc(s.rotated_at), 'expires_at', utc(least(s.idle_expires_at, s.expires_at))) as session
                          from sessions s
                         where s.account_id = a.id and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
                         order by s.rotated_at desc, s.id limit 100) open),
        'devices', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', d.id, 'name', d.name, 'added_at', utc(d.added_at), 'used_at', utc(d.used_at), 'expires_at', utc(d.expires_at))
                        order by d.added_at, d.id), '[]')
                     from remembered_devices d where d.account_id = a.id and d.expires_at > now()),
        'absorbed', (select coalesce(jsonb_agg(m.id order by m.changed_at), '[]') from accounts m where m.merged_into = a.id),
        'changes', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', c.id, 'kind', c.kind, 'account_id', c.account_id, 'other_id', c.other_id, 'actor_id', c.actor_id, 'made_at', utc(c.made_at),
                        'undo_until', utc(c.undo_until), 'undone_at', utc(c.undone_at)) order by c.made_at desc, c.id), '[]')
                     from account_changes c where a.id in (c.account_id, c.other_id)))
      into dossier from accounts a where a.id = p_account;
    return dossier;
end $$;
create index accounts_merged_into on accounts (merged_into) where merged_into is not null;

-- Other accounts that may be the same person's, with the facts that speak for it and what each is worth: a proof of the
-- same mailbox or number says much, what somebody typed little.
create function account_suggestions(p_account uuid) returns jsonb language sql stable as $$
    with mine as (
        select lower(e.address_key) as key, e.proved_at is not null as proved from account_emails e where e.account_id = p_account and not e.is_relay
        union
        select lower(i.email), i.email_verified from identities i where i.account_id = p_account and i.email is not null and not i.email_is_relay
    ), facts as (
        select e.account_id, 'same_email' as fact, e.address as value, m.proved as here, e.proved_at is not null as there
          from mine m join account_emails e on e.address_key collate "C" = m.key where e.account_id <> p_account and not e.is_relay
        union
        select i.account_id, 'same_email_told', i.email, m.proved, i.email_verified
          from mine m join identities i on lower(i.email) collate "C" = m.key where i.account_id <> p_account and not i.email_is_relay
        union
        select o.account_id, 'same_phone', o.phone_key, p.proved_at is not null, o.proved_at is not null
          from account_phones p join account_phones o on o.phone_key collate "C" = p.phone_key
         where p.account_id = p_account and o.account_id <> p_account
        union
        select o.account_id, 'same_subject', o.subject, true, true
          from identities i join identities o on o.subject = i.subject and o.provider = i.provider
         where i.account_id = p_account and o.account_id <> p_account
        union
        select n.id, 'same_name', n.display_name, false, false
          from accounts a join lateral (
              select id, display_name from accounts where lower(display_name) collate "C" = lower(a.display_name) and id <> a.id limit 5) n on true
         where a.id = p_account and a.display_name is not null
    ), weighed as (
        select account_id, jsonb_agg(jsonb_build_object('fact', fact, 'value', value, 'proved_here', here, 'proved_there', there)
                                     order by fact, value) as facts,
               max(case when fact = 'same_name' then 1 when here and there then 4 when here or there then 3 else 2 end) as weight
          from facts group by account_id
    )
    select coalesce(jsonb_agg(account_line(account_id) || jsonb_build_object('facts', facts,
                        'strength', (array['weak', 'weak', 'likely', 'strong'])[weight]) order by weight desc, account_id), '[]')
      from (select * from weighed order by weight desc, account_id limit 10) w
     where exists (select from accounts a where a.id = w.account_id and a.status = 'active');
$$;

-- What happened to an account, and to those that were joined to it: newest first, before `p_before`.
create function account_history(p_account uuid, p_before bigint, p_limit integer) returns jsonb language sql stable as $$
    select coalesce(jsonb_agg(row_ order by id desc), '[]') from (
        select v.id, jsonb_build_object(
            'id', v.id, 'at', utc(v.at), 'action', v.action, 'outcome', v.outcome, 'reason', v.reason, 'account_id', v.account_id,
            'actor_id', v.actor_id, 'words', v.words, 'identity_id', v.identity_id, 'session_id', v.session_id, 'client_id', v.client_id,
            'provider', v.provider, 'address', v.address, 'request_id', v.request_id, 'detail', v.detail) as row_
          from audit_events v
         where v.account_id = any (array(select p_account union select id from accounts where merged_into = p_account))
           and v.id < coalesce(p_before, 9223372036854775807)
         order by v.id desc limit p_limit) newest;
$$;
